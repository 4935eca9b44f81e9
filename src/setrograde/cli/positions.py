"""What `solve` and `table` share: which deal or position is meant, and how it is printed."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from setrograde.bridge import (
    Board,
    Card,
    Deal,
    InvalidDeal,
    InvalidInput,
    InvalidPlay,
    Play,
    Seat,
    Strain,
)
from setrograde.bridge.display.parts import plain
from setrograde.formats.problems import BoardFile

from .common import (
    can_print_symbols,
    choose_boards,
    load_source,
    report_problems,
    uses_colour,
)

__all__ = [
    "add_deal_arguments",
    "board_name",
    "load_deals",
    "number_between",
    "play_cards",
    "print_text",
    "solvable_deal",
    "the_position",
]

T = TypeVar("T")


def number_between(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers for argparse, which says what would be right.

    >>> number_between(1, 8)("3")
    3
    """

    def read(text: str) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else None
        if number is None or not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} (expected a number from {low} to {high})")
        return number

    return read


def add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a command that solves its `DEAL` and `--ascii`.

    >>> parser = argparse.ArgumentParser()
    >>> add_deal_arguments(parser)
    >>> parser.parse_args(["N:A... K... Q... J..."])
    Namespace(deal='N:A... K... Q... J...', ascii=False)
    """
    parser.add_argument(
        "deal",
        metavar="DEAL",
        help="a PBN deal in quotes, a file of boards, - for stdin, or a BBO viewer link",
    )
    parser.add_argument(
        "--ascii", action="store_true", help="letters instead of suit symbols, for plain terminals"
    )


def load_deals(args: argparse.Namespace) -> tuple[BoardFile, bytes | None]:
    """The boards of `DEAL`, and the bytes read; `None` for a deal in the command line.

    >>> args = argparse.Namespace(deal="N:A... K... Q... J...", strict=False, format=None)
    >>> len(load_deals(args)[0])
    1
    """
    if not args.deal.strip():
        raise InvalidInput(f"empty deal: {args.deal!r} (expected a PBN deal, a file or -)")
    board_file, data = load_source(args.deal, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    return board_file, data


def solvable_deal(deal: Deal | None) -> Deal:
    """The deal, a missing fourth hand filled in; an error unless all hands are equally long.

    >>> solvable_deal(Deal.from_pbn("N:AK... Q... T9... 87..."))
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidDeal: hands differ in length: North 2, East 1, South 2, \
West 2 in 'N:AK... Q... T9... 87...' (expected equally many cards)
    """
    if deal is None:
        raise InvalidDeal("no deal (expected four hands)")
    deal = deal.complete()
    lengths = {len(hand) for hand in deal}
    if lengths == {0}:
        raise InvalidDeal(f"no cards in {deal.to_pbn()!r} (expected at least one card each)")
    if len(lengths) > 1:
        held = ", ".join(f"{seat.name.title()} {len(deal[seat])}" for seat in Seat)
        raise InvalidDeal(
            f"hands differ in length: {held} in {deal.to_pbn()!r} (expected equally many cards)"
        )
    return deal


def the_position(args: argparse.Namespace) -> Play:
    """The one position asked about by `--board`, `--strain`, `--leader` and `--played`.

    >>> args = argparse.Namespace(deal="N:A2... K3... Q4... J5...", strict=False, format=None,
    ...                           board=None, strain="NT", leader="N", played="SA S3")
    >>> the_position(args).turn
    Seat.SOUTH
    """
    boards = choose_boards(load_deals(args)[0].boards, args.board, args.deal)
    if len({board.deal for board in boards}) > 1:
        count = len(boards)
        if args.board is None:
            raise InvalidInput(f"{count} boards in {args.deal!r} (expected --board N to choose)")
        raise InvalidInput(
            f"board {args.board} has different deals in {args.deal!r} (expected one deal)"
        )
    deal = solvable_deal(boards[0].deal)
    choices = _as_played(boards)
    if args.strain is None:
        strain = _only({s for s, _ in choices}, "strain", "--strain C, D, H, S or NT")
    else:
        strain = Strain.from_text(args.strain)
    if args.leader is None:
        leader = _only({seat for _, seat in choices}, "leader", "--leader N, E, S or W")
    else:
        leader = Seat.from_text(args.leader)
    return play_cards(Play(deal, strain, leader), args.played)


def _as_played(boards: Sequence[Board]) -> list[tuple[Strain, Seat]]:
    """Strain and opening leader at each table, where known."""
    found = []
    for board in boards:
        if board.contract is not None and not board.contract.is_passed_out:
            found.append((board.contract.strain, board.contract.leader))
        elif board.play is not None:
            found.append((board.play.strain, board.play.leader))
    return found


def _only(values: Collection[T], what: str, option: str) -> T:
    """The one value that the board gives, or an error that names the option."""
    if not values:
        raise InvalidInput(f"no {what} and no contract to take it from (expected {option})")
    if len(values) > 1:
        raise InvalidInput(f"the {what} differs between tables (expected {option})")
    (value,) = values
    return value


def play_cards(play: Play, text: str) -> Play:
    """Play the cards named in `text`, with spaces or commas between them.

    >>> play = Play(Deal.from_pbn("N:A2... K3... Q4... J5..."), Strain.NOTRUMP, Seat.NORTH)
    >>> play_cards(play, "SA S4")
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidPlay: illegal card: 'S4' by East as card 2: \
does not hold it (expected SK or S3)
    """
    for word in text.replace(",", " ").split():
        card = Card.from_text(word)
        try:
            play = play.with_card(card)
        except InvalidPlay as error:
            legal = " or ".join([str(card) for card in play.legal_cards()])
            raise InvalidPlay(f"{error} (expected {legal or 'no more cards'})") from None
    return play


def board_name(board: Board, place: int) -> str:
    """What to call a board in a message: by its number, or by its place in the file, from 0.

    >>> board_name(Board.numbered(7), 0), board_name(Board(), 0)
    ('board 7', 'deal 1')
    """
    return f"deal {place + 1}" if board.number is None else f"board {board.number}"


def print_text(text: str, *, ascii: bool) -> None:
    """Print text with suit symbols as the terminal can take it: red, plain, or as letters."""
    if ascii or not can_print_symbols(sys.stdout):
        text = plain(text)
    elif uses_colour(sys.stdout):
        text = re.sub("[♥♦]", "\x1b[31m\\g<0>\x1b[39m", text)
    print(text)
