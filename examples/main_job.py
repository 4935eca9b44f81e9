"""The main job: build all small endings, check them, ask about a set of deals, solve a deal.

Run it with `make run` or `python examples/main_job.py`. It takes some twenty seconds and leaves the
endings with up to 16 cards installed in the data directory, where solvers find them. Another number
of cards can be given: `python examples/main_job.py 12`.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from setrograde.analysis.par import par
from setrograde.bridge import Board, Deal, Seat, Strain
from setrograde.bridge.display import format_board, format_table
from setrograde.db import EndingDatabase, build_database, verify_every_shape
from setrograde.locations import data_directory
from setrograde.solve.double_dummy import Solver, solve_table
from setrograde.solve.endings import EndingTable, installed_endings

DEALS = "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW"
DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def main(cards: int = 16) -> int:
    """Do everything once, with endings up to this number of cards."""
    directory = data_directory()
    build_and_verify(cards, directory)
    print(f"\n{ask(EndingDatabase.open(directory))}\n")
    endings = installed_endings(directory)
    assert endings is not None  # the build made them
    print(solve(Board.numbered(3, Deal.from_pbn(DEAL)), endings))
    print(
        f"\nAll endings with up to {cards} cards are installed in {directory};"
        "\nsolvers look them up by themselves from now on."
    )
    print(f"\n{NEXT}")
    return 0


def build_and_verify(cards: int, directory: Path) -> None:
    """Build all endings up to `cards`, every strain; compare each layout up to 12 cards."""
    print(
        f"Building all endings with 4, 8 ... {cards} cards, notrump and trumps, as diagrams:",
        flush=True,
    )
    for built in build_database(cards, directory).levels:
        states, nodes = built.facts["states"], built.facts["nodes"]
        print(
            f"  {built.file.cards:2} cards: {states:13,} endings in {nodes:9,} nodes,"
            f" {'was there' if built.seconds is None else f'{built.seconds:.1f} s'}",
            flush=True,
        )
    print("Comparing every layout up to 12 cards with plain enumeration:", flush=True)
    for level in EndingDatabase.open(directory, tricks=[1, 2, 3]).levels.values():
        found = verify_every_shape(level)
        if not found.is_ok:
            raise SystemExit(f"wrong values:\n{found}")
        print(
            f"  {level.cards:2} cards: {found.states:13,} layouts, all agree,"
            f" {found.seconds:.1f} s",
            flush=True,
        )


def ask(database: EndingDatabase) -> str:
    """One question about many deals: who has the missing cards?"""
    value = database.query(DEALS, "NT", "S")
    lines = [
        "North has SAQ and H2, East HA; SK is with East or West, H43 are with South or West,"
        " and low spades with anyone.",
        f"Notrump, South leads: {value.deals} deals, {value.mean:.2f} tricks for N-S on average.",
    ]
    for tricks, count in value.histogram.items():
        lines.append(f"  N-S take {tricks} in {count:3} deals  {'#' * (count * 40 // value.deals)}")
    first = database.decisive_cards(DEALS, "NT", "S")[0]
    means = [f"{mean:.2f} with {seat.name.title()}" for seat, mean in first.mean_by_holder.items()]
    lines.append(f"No card decides more than {first.card}: {', '.join(means)}.")
    return "\n".join(lines)


def solve(board: Board, endings: EndingTable) -> str:
    """A full deal double dummy: the 20 results, par, and what West's leads are worth.

    The search looks up the endings it comes to.
    """
    deal, dealer, vulnerability = board.deal, board.dealer, board.vulnerability
    assert deal is not None and dealer is not None and vulnerability is not None
    ascii = not can_print("♠┌")
    table = solve_table(deal, endings=endings)
    best = par(table, dealer, vulnerability)
    solver = Solver(endings=endings)
    values = solver.cards(deal, Strain.NOTRUMP, Seat.WEST)
    lines = [
        format_board(board, ascii=ascii),
        "",
        "Double dummy, all four hands seen and played perfectly:",
        format_table(table, ascii=ascii),
        f"Par {best.score_text}: {best.contract_text}",
        "",
        "West's leads against notrump, by defenders' tricks:",
    ]
    for tricks, group in groupby(values, key=lambda value: value.tricks):
        lines.append(f"  {tricks:2}  {' '.join(str(value.card) for value in group)}")
    found = solver.statistics()
    lines.append(
        f"\nThat took {found['nodes']:,} positions; {found['probes']:,} times an ending of"
        f" {endings.cards} cards was looked up."
    )
    return "\n".join(lines)


def can_print(text: str) -> bool:
    """True if standard output can show `text`."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


NEXT = """\
What to try next:
  .venv/bin/setrograde db query "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW" --strain NT --leader S
  .venv/bin/setrograde db probe "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader S
  .venv/bin/setrograde table your.pbn --write solved.pbn    results and par as tags of your file
  .venv/bin/setrograde solve your.pbn --board 7             what every card is worth
  .venv/bin/setrograde --help"""


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
