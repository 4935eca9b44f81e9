"""What the fuzzers of board formats share: the laws of a reader, seeds, a command line.

Run one with `python tests/fuzz/fuzz_lin.py [seconds] [seed]`; the exit code is 1 if anything broke.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "fuzz")]

from mutate import fuzz_loop  # noqa: E402

from property.laws import check_reader  # noqa: E402
from setrograde.bridge import Auction, Board, Deal, Play, Seat, Strain, TrickTable  # noqa: E402
from setrograde.formats import BoardFile  # noqa: E402

__all__ = ["check_format", "example_boards", "fuzz_main"]


def example_boards() -> list[Board]:
    """A few boards with everything a format may hold."""
    deal = Deal.from_pbn("N:765.765.7654.987 432.432.32.65432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT98.T")
    auction = Auction.from_text("Pass Pass 7NT AP", dealer=Seat.NORTH)
    play = Play(deal, Strain.NOTRUMP, Seat.WEST)
    for _ in range(9):
        play = play.with_card(play.legal_cards()[0])
    return [
        Board(
            number=1,
            dealer=Seat.NORTH,
            vulnerability=Board.numbered(1).vulnerability,
            deal=deal,
            auction=auction,
            contract=auction.contract,
            play=play.claim(13),
            tricks_declarer=13,
            players=("Ann", "Bob", "Céline", "Dan"),
            event="Cup",
            table=TrickTable.from_function(lambda seat, strain: 13 * (seat % 2)),
            tags={"Stage": "Final"},
        ),
        Board.numbered(2, deal.rotate(1)),
    ]


def check_format(
    parse: Callable[..., BoardFile], write: Callable[[Iterable[Board]], str]
) -> Callable[[bytes], None]:
    """A target: reading obeys its laws, and what was read can be written and read again."""

    def run(data: bytes) -> None:
        boards = check_reader(parse, data)
        again = parse(write(board for board in boards if board.deal is not None))
        assert [board.deal for board in again] == [
            board.deal for board in boards if board.deal is not None
        ]

    return run


def fuzz_main(run: Callable[[bytes], None], seeds: Sequence[bytes]) -> None:
    """Fuzz for the seconds given on the command line, ten unless told."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    report = fuzz_loop(run, seeds, seconds, seed)
    print(report)
    sys.exit(bool(report.failures))
