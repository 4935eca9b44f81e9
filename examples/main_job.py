"""A small tournament from cards to scores: deal, bid, play, write, read, show, convert, score.

Run it with `make run` or `python examples/main_job.py`.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

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
from setrograde.bridge.display import format_board
from setrograde.bridge.scoring import format_result, score_board
from setrograde.formats.files import read_boards, write_boards

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
        print(f"Wrote and read {len(boards)} boards ({night.stat().st_size} bytes of PBN).\n")
        print(format_board(boards[0], ascii=not can_print("♠")))
        print(f"\n{convert_and_return(night, boards)}\n")
    print_scores(boards)
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


def print_scores(boards: tuple[Board, ...]) -> None:
    """One line a board, and the sum for North-South."""
    total_ns = 0
    print("Board  Contract   Score N-S")
    for board in boards:
        contract, tricks = board.contract, board.tricks_declarer
        if contract is None or board.vulnerability is None:
            continue
        score_ns = score_board(contract, tricks or 0, board.vulnerability)
        total_ns += score_ns
        print(f"{board.number:5}  {format_result(contract, tricks or 0):9}  {score_ns:+9}")
    print(f"Total             {total_ns:+9}\n")


def can_print(text: str) -> bool:
    """True if standard output can show `text`."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


NEXT = """\
What to try next:
  .venv/bin/setrograde show "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  .venv/bin/setrograde show --help       diagrams of your own PBN or LIN files, as text, HTML or SVG
  .venv/bin/setrograde convert --help    PBN, LIN, RBN, JSON, BBO links and DDS lists"""


if __name__ == "__main__":
    sys.exit(main())
