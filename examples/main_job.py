"""The main job: a small tournament written, read and converted, and one of its deals solved.

Run it with `make run` or `python examples/main_job.py`.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from setrograde.analysis.par import par
from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Deal,
    Hand,
    Play,
    Seat,
    board_dealer,
)
from setrograde.bridge.display import format_board, format_table
from setrograde.bridge.scoring import format_result, score_board
from setrograde.formats.files import read_boards, write_boards
from setrograde.solve.double_dummy import Solver, solve_table

BOARDS = 8
SEED = 2026
PLAYERS = ("Nora", "Edgar", "Sunniva", "Walter")


def main() -> int:
    """Do everything once, in a temporary folder."""
    rng = Random(SEED)
    with TemporaryDirectory() as folder:
        night = Path(folder, "night.pbn")
        write_boards([play_board(number, rng) for number in range(1, BOARDS + 1)], night)
        boards = read_boards(night, strict=True).boards
        print(f"Wrote and read {len(boards)} boards ({night.stat().st_size} bytes of PBN).")
        print(convert_and_return(night, boards))
    print(f"\n{score_line(boards)}\n")
    ascii = not can_print("♠")
    print(format_board(boards[0], ascii=ascii, show_play=False))
    print(f"\n{solve(boards[0], ascii=ascii)}\n")
    print(NEXT)
    return 0


def play_board(number: int, rng: Random) -> Board:
    """A random deal, bid by a simple rule and played by chance."""
    cards = rng.sample(Card.ALL, 52)
    n, e, s, w = (Hand.from_cards(cards[13 * seat : 13 * seat + 13]) for seat in Seat)
    deal = Deal((n, e, s, w))
    auction = bid(deal, board_dealer(number))
    contract = auction.contract_so_far
    board = replace(
        Board.numbered(number, deal),
        auction=auction,
        contract=contract,
        players=PLAYERS,
        event="Example night",
    )
    if contract.is_passed_out:
        return board
    play = Play(deal, contract.strain, contract.leader)
    while not play.is_over:
        play = play.with_card(rng.choice(play.legal_cards()))
    return replace(board, play=play, tricks_declarer=play.tricks_won(contract.declarer.side))


def bid(deal: Deal, dealer: Seat) -> Auction:
    """Everybody bids the longest suit as long as the points allow: 3 more for each level."""
    auction = Auction(dealer)
    while not auction.is_over:
        hand = deal[auction.turn]
        longest = hand.lengths.index(max(hand.lengths))
        call = next(call for call in auction.legal_calls() if call.strain == longest)
        is_opening = auction.contract_so_far.is_passed_out
        needed = (8 if is_opening else 4) + 3 * (call.level or 0)
        if hand.hcp >= needed:
            note = Annotation(alerted=not is_opening, text=f"{needed} points or more")
            auction = auction.with_call(call, note)
        else:
            auction = auction.with_call(Call.PASS)
    return auction


def convert_and_return(source: Path, boards: tuple[Board, ...]) -> str:
    """PBN to LIN to JSON to PBN; the boards must come back as they were."""
    path = source
    for name in ("night.lin", "night.json", "back.pbn"):
        path, before = source.with_name(name), path
        write_boards(read_boards(before, strict=True), path)
    back = read_boards(path, strict=True).boards
    for board, other in zip(boards, back, strict=True):
        for field in ("number", "vulnerability", "deal", "auction", "contract", "play", "players"):
            if getattr(board, field) != getattr(other, field):
                raise SystemExit(f"board {board.number}: {field} was lost on the way")
    return "Converted PBN -> LIN -> JSON -> PBN; every deal, call and card came back."


def score_line(boards: tuple[Board, ...]) -> str:
    """All contracts with their results, and the sum for North-South."""
    results, total_ns = [], 0
    for board in boards:
        contract, tricks = board.contract, board.tricks_declarer or 0
        if contract is not None and board.vulnerability is not None:
            total_ns += score_board(contract, tricks, board.vulnerability)
            results.append(format_result(contract, tricks))
    return f"Played: {', '.join(results)}.\nTotal for N-S: {total_ns:+}"


def solve(board: Board, *, ascii: bool) -> str:
    """The 20 results, par, and what every opening lead is worth against the contract."""
    deal, contract = board.deal, board.contract
    if deal is None or contract is None or board.dealer is None or board.vulnerability is None:
        raise SystemExit(f"board {board.number} is not complete")
    table = solve_table(deal)
    best = par(table, board.dealer, board.vulnerability)
    solver = Solver()
    solution = solver.solve(deal, contract.strain, contract.leader)
    lines = [
        "Double dummy, all four hands seen and played perfectly:",
        format_table(table, ascii=ascii),
        f"Par {best.score_text}: {best.contract_text}",
        "",
        f"Leads of {contract.leader.name.title()} against {contract}, by defenders' tricks:",
    ]
    values = solver.cards(deal, contract.strain, contract.leader)
    for tricks, group in groupby(values, key=lambda value: value.tricks):
        lines.append(f"  {tricks:2}  {' '.join(str(value.card) for value in group)}")
    lines += ["Any deal of this pattern gives the same best lead value:", f"  {solution.pattern}"]
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
  .venv/bin/setrograde table "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  .venv/bin/setrograde solve "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader S --line
  .venv/bin/setrograde table your.pbn --write solved.pbn    results and par as tags of your file
  .venv/bin/setrograde show your.pbn                        diagrams; also --html and --svg
  .venv/bin/setrograde --help"""


if __name__ == "__main__":
    sys.exit(main())
