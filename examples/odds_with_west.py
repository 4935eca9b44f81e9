"""Exact odds of a contract, with nothing known of West and with what the auction told."""

import setrograde as sg

NORTH, SOUTH = "AKQ2.T98.A76.K54", "876.765.KQJ.QJT9"
for west in ("any", "hcp 5-10, 6+ hearts", "hcp 12+, hearts 4-"):
    answer = sg.odds(NORTH, SOUTH, contract="2NTS", west=west)
    chance = float(answer.probability)
    print(f"West {west}: 2NT makes in {chance:.2%} of {answer.layouts:,} layouts")
