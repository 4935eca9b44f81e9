"""A question about a set of endings: North has ♠AQ, and the small spades can be anywhere."""

import setrograde as sg

sg.build_database(12)  # builds what is missing: some seconds the first time
database = sg.EndingDatabase.open()
for king in ("EW", "E", "W"):
    deals = sg.DealSet.from_text(f"SAQ=N SK={king} S76543=x H2=N HA=E H43=SW")
    answer = database.query(deals, "NT", leader="S")
    tricks = f"{answer.deals} deals, {answer.mean:.2f} tricks for N-S"
    print(f"Spade king with {' or '.join(king)}: {tricks}")
