"""What commands share that ask about a deal or a position: reading it, options, printing."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from setrograde.bridge import (
    Board,
    Contract,
    Deal,
    InvalidDeal,
    InvalidPlay,
    Play,
    Seat,
    Strain,
    Vulnerability,
)
from setrograde.bridge.coerce import as_cards, as_seat, as_strain
from setrograde.bridge.display.parts import plain
from setrograde.common.words import count_of
from setrograde.errors import InvalidInput
from setrograde.formats.problems import BoardFile

from .common import (
    can_print_symbols,
    choose_boards,
    load_source,
    report_problems,
    uses_colour,
)
from .options import add_ascii_option, number_between, text_of

__all__ = [
    "Position",
    "add_contract_option",
    "add_deal_arguments",
    "add_position_options",
    "add_seat_option",
    "add_strain_option",
    "add_vulnerability_option",
    "board_name",
    "load_deals",
    "number_between",
    "play_cards",
    "print_text",
    "solvable_deal",
    "the_position",
]

T = TypeVar("T")


def add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a command that solves deals its argument `DEAL`, and `--ascii`.

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
    add_ascii_option(parser)


def add_position_options(parser: argparse._ActionsContainer) -> None:
    """Give a command that asks about a position `--strain`, `--leader` and `--played`.

    >>> parser = argparse.ArgumentParser()
    >>> add_position_options(parser)
    >>> parser.parse_args(["--strain", "NT", "--leader", "S", "--played", "SA S3"])
    Namespace(strain=Strain.NOTRUMP, leader=Seat.SOUTH, played='SA S3')
    """
    add_strain_option(parser, note=" (default: the strain of the board's contract)")
    add_seat_option(
        parser,
        "--leader",
        "the player who leads to the first trick",
        metavar="W",
        note=" (default: the player after the board's declarer)",
    )
    parser.add_argument(
        "--played",
        default="",
        metavar="CARDS",
        help='cards played from DEAL so far, in order, like "SA S3"; or a number N, or all: the'
        " first N cards, or all cards, of the play that the board records",
    )


def add_strain_option(
    parser: argparse._ActionsContainer, *, required: bool = False, note: str = ""
) -> None:
    """Give a command `--strain`, read as a `Strain`; `note` is added to its help.

    >>> parser = argparse.ArgumentParser()
    >>> add_strain_option(parser)
    >>> parser.parse_args(["--strain", "h"]).strain
    Strain.HEARTS
    """
    parser.add_argument(
        "--strain",
        type=text_of(Strain.from_text),
        required=required,
        metavar="S",
        help=f"trumps: C, D, H or S, or NT for none{note}",
    )


def add_seat_option(
    parser: argparse._ActionsContainer,
    name: str,
    what: str,
    *,
    metavar: str,
    required: bool = False,
    note: str = "",
) -> None:
    """Give a command an option for a seat, read as a `Seat`; `what` explains whose seat it is.

    >>> parser = argparse.ArgumentParser()
    >>> add_seat_option(parser, "--dealer", "the dealer", metavar="N")
    >>> parser.parse_args(["--dealer", "east"]).dealer
    Seat.EAST
    """
    parser.add_argument(
        name,
        type=text_of(Seat.from_text),
        required=required,
        metavar=metavar,
        help=f"{what}: N, E, S or W{note}",
    )


def add_contract_option(parser: argparse._ActionsContainer, what: str) -> None:
    """Give a command `--contract`, read as a `Contract` with its declarer; `what` explains it.

    >>> parser = argparse.ArgumentParser()
    >>> add_contract_option(parser, "the contract")
    >>> str(parser.parse_args(["--contract", "4HXW"]).contract)
    '4HXW'
    """
    parser.add_argument(
        "--contract",
        type=text_of(Contract.from_text),
        metavar="C",
        help=f"{what}, with its declarer, like 4SS",
    )


def add_vulnerability_option(parser: argparse._ActionsContainer, note: str = "") -> None:
    """Give a command `--vul`, read as a `Vulnerability`; `note` is added to its help.

    >>> parser = argparse.ArgumentParser()
    >>> add_vulnerability_option(parser)
    >>> parser.parse_args(["--vul", "ns"]).vul
    Vulnerability.NS
    """
    parser.add_argument(
        "--vul",
        type=text_of(Vulnerability.from_text),
        metavar="V",
        help=f"who is vulnerable: none, ns, ew or all{note}",
    )


def load_deals(args: argparse.Namespace) -> tuple[BoardFile, bytes | None]:
    """The boards of `DEAL`, and the bytes read; `None` for a deal given as an argument.

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


@dataclass(frozen=True, slots=True)
class Position:
    """A position, and what the board records of the play that leads to it or on from it.

    >>> play = Play("N:A2... K3... Q4... J5...", "NT", "N", "SA S3")
    >>> Position(play, recorded=5, taken=2).note
    'After the first 2 of 5 recorded cards'
    """

    play: Play
    """The deal and the cards played."""

    recorded: int | None = None
    """The number of cards in the recorded play; `None` if there is none."""

    taken: int = 0
    """How many of them were played to get here."""

    @property
    def note(self) -> str | None:
        """What was done with the recorded play, if there is one."""
        if self.recorded is None:
            return None
        if not self.taken:
            return (
                f"The board records {_cards(self.recorded)} of play, which were not used"
                " (--played all, or --played N for the first N)"
            )
        if self.taken == self.recorded:
            return f"After all {_cards(self.recorded, 'recorded ')}"
        return f"After the first {self.taken} of {_cards(self.recorded, 'recorded ')}"


def the_position(args: argparse.Namespace) -> Position:
    """The one position asked about by `--board`, `--strain`, `--leader` and `--played`.

    >>> args = argparse.Namespace(deal="N:A2... K3... Q4... J5...", strict=False, format=None,
    ...                           board=None, strain="NT", leader="N", played="SA S3")
    >>> the_position(args).play.turn
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
        strain = as_strain(args.strain)
    if args.leader is None:
        leader = _only({seat for _, seat in choices}, "leader", "--leader N, E, S or W")
    else:
        leader = as_seat(args.leader)
    start = Play(deal, strain, leader)
    plays = {board.play for board in boards if board.play is not None and board.play.cards}
    if re.fullmatch(r"\s*([0-9]+|all)\s*", args.played, re.IGNORECASE):
        recorded = _recorded(start, plays)
        taken = _taken(args.played.strip().lower(), len(recorded.cards))
        play = Play(deal, strain, leader, recorded.cards[:taken])
        return Position(play, len(recorded.cards), taken)
    longest = max([len(play.cards) for play in plays], default=None)
    play = play_cards(start, args.played)
    return Position(play, None if args.played.strip() else longest)


def _recorded(start: Play, plays: Collection[Play]) -> Play:
    """The one recorded play, if it starts as the question does; else an error says why not."""
    if not plays:
        raise InvalidInput("the board records no play (expected cards for --played, like 'SA S3')")
    if len({play.cards for play in plays}) > 1:
        raise InvalidInput(
            f"{len(plays)} tables played differently (expected cards for --played, like 'SA S3')"
        )
    play = next(iter(plays))
    if play.deal.complete() != start.deal:
        raise InvalidInput("the recorded play is of another deal (expected cards for --played)")
    if (play.strain, play.leader) != (start.strain, start.leader):
        leader = play.leader.name.title()
        raise InvalidInput(
            f"the recorded play is in {play.strain} with {leader} on lead, not in {start.strain}"
            f" with {start.leader.name.title()} (expected cards for --played, or no --strain and"
            " no --leader)"
        )
    return play


def _taken(text: str, recorded: int) -> int:
    number = recorded if text == "all" else int(text[:9])
    if number > recorded:
        raise InvalidInput(
            f"not so many cards: {text!r} (expected 0 to {recorded}, or all: the board records"
            f" {_cards(recorded)})"
        )
    return number


def _cards(number: int, kind: str = "") -> str:
    return count_of(number, f"{kind}card")


def _as_played(boards: Sequence[Board]) -> list[tuple[Strain, Seat]]:
    """Strain and opening leader at each table where they are known."""
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
    for card in as_cards(text):
        try:
            play = play.with_card(card)
        except InvalidPlay as error:
            legal = " or ".join([str(card) for card in play.legal_cards()])
            raise InvalidPlay(f"{error} (expected {legal or 'no more cards'})") from None
    return play


def board_name(board: Board, place: int) -> str:
    """What to call a board in a message: its number, or its place in the file, counted from 0.

    >>> board_name(Board.numbered(7), 0), board_name(Board(), 0)
    ('board 7', 'deal 1')
    """
    return f"deal {place + 1}" if board.number is None else f"board {board.number}"


def print_text(text: str, *, ascii: bool) -> None:
    """Print text with suit symbols the way the terminal can: in red, plain, or as letters."""
    if ascii or not can_print_symbols(sys.stdout):
        text = plain(text)
    elif uses_colour(sys.stdout):
        text = re.sub("[♥♦]", "\x1b[31m\\g<0>\x1b[39m", text)
    print(text)
