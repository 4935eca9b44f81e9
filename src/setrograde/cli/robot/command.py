"""`setrograde robot card`, `lead` and `claim`: one decision at a board, by what a seat may see."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from setrograde.bridge import Board, Contract, Play, Vulnerability
from setrograde.bridge.board import board_contract
from setrograde.errors import InvalidInput
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.play import GOALS, METHODS, Player
from setrograde.robot.play.claims import find_claim

from ..common import add_format_options, choose_boards, print_json
from ..options import add_ascii_option, add_json_option, add_seed_option, text_of
from ..positions import (
    add_contract_option,
    add_seat_option,
    add_vulnerability_option,
    load_deals,
    play_cards,
    print_text,
    solvable_deal,
)

__all__ = ["add_parser"]

_DESCRIPTION = """\
Decisions of a robot: which card to play, what to lead, how many tricks to claim. Of the board only
what the seat may see is used: its own hand, dummy once the lead is made, and the cards played."""

_EPILOG = """\
examples:
  setrograde robot card night.pbn --board 1 --played 5
  setrograde robot lead night.pbn --board 2 --time 1
  setrograde robot claim night.pbn --board 1 --played 36"""

_CARD = """\
Choose the card to play for the seat on turn; declarer decides for dummy too. Layouts that fit what
the seat knows are drawn at random, weighed by the cards played, and searched for the strategy that
does best over all of them. The record lists every candidate with its value in the units of the goal
and its standard error."""

_CARD_EPILOG = """\
examples:
  setrograde robot card night.pbn --board 1 --played 5
  setrograde robot card night.pbn --board 1 --played 8 --goal make --json"""

_LEAD = """\
Choose the opening lead: no dummy is seen, so that three hands are hidden. All suits are tried in a
few layouts, the better ones in more."""

_LEAD_EPILOG = """\
examples:
  setrograde robot lead night.pbn --board 1
  setrograde robot lead night.pbn --board 1 --contract 1NTN --seed 7"""

_CLAIM = """\
Say how many tricks the side of a seat can claim: those that one strategy takes in every layout that
fits what the seat knows. This is a proof over all layouts. If they are too many, nothing is
claimed, and the exit status is 1."""

_CLAIM_EPILOG = """\
examples:
  setrograde robot claim night.pbn --board 1 --played 36
  setrograde robot claim night.pbn --board 1 --played 40 --seat S --json"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command and those below it."""
    parser = commands.add_parser(
        "robot",
        help="choose a card, an opening lead or a claim by what a seat may see",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    below = parser.add_subparsers(
        dest="robot_command", metavar="COMMAND", required=True, title="commands"
    )
    card = below.add_parser(
        "card", help="choose the card to play", description=_CARD, epilog=_CARD_EPILOG
    )
    _add_board(card, played=True)
    _add_search(card)
    add_json_option(card, "the record of the decision")
    card.set_defaults(run=_run_card)
    lead = below.add_parser(
        "lead", help="choose the opening lead", description=_LEAD, epilog=_LEAD_EPILOG
    )
    _add_board(lead, played=False)
    _add_search(lead)
    add_json_option(lead, "the record of the decision")
    lead.set_defaults(run=_run_lead)
    claim = below.add_parser(
        "claim", help="prove a claim", description=_CLAIM, epilog=_CLAIM_EPILOG
    )
    _add_board(claim, played=True)
    add_json_option(claim, "the claim")
    claim.set_defaults(run=_run_claim)


def _add_board(parser: argparse.ArgumentParser, *, played: bool) -> None:
    parser.add_argument(
        "deal",
        metavar="BOARD",
        help="a file of boards, - for stdin, a BBO viewer link, or a PBN deal in quotes",
    )
    add_format_options(parser)
    add_contract_option(parser, "the contract, if the board has none")
    add_vulnerability_option(parser, " (default: as the board says)")
    if played:
        parser.add_argument(
            "--played",
            metavar="CARDS",
            help='cards played so far, in order, like "SA S3"; or a number N: the first N cards of'
            " the play that the board records (default: all of them)",
        )
        add_seat_option(
            parser,
            "--seat",
            "the player who decides",
            metavar="S",
            note=" (default: the player on turn)",
        )
    add_ascii_option(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--time",
        type=text_of(_seconds),
        default=2.0,
        metavar="S",
        help="think for at most S seconds (default 2.0)",
    )
    parser.add_argument(
        "--goal",
        choices=GOALS,
        default="imps",
        help="what counts (default imps)",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="strategy",
        help="strategy chooses several cards ahead blind; monte_carlo, plainer and faster, only"
        " one (default strategy)",
    )
    add_seed_option(parser, "layouts", default=1)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise InvalidInput(f"{text!r} (expected seconds, more than 0 and at most 3600)")
    return value


def _board(args: argparse.Namespace) -> Board:
    """The one board asked about, with contract, vulnerability and the play so far."""
    boards = choose_boards(load_deals(args)[0].boards, args.board, args.deal)
    if len(boards) > 1:
        raise InvalidInput(f"{len(boards)} boards in {args.deal!r} (expected --board N to choose)")
    board = boards[0]
    deal = solvable_deal(board.deal)
    contract = args.contract if args.contract is not None else board_contract(board)
    if not isinstance(contract, Contract) or contract.is_passed_out:
        raise InvalidInput("no contract on the board (expected --contract, like 3NTS)")
    vulnerability = board.vulnerability if args.vul is None else args.vul
    start = Play(deal, contract.strain, contract.leader)
    recorded = () if board.play is None or args.contract is not None else board.play.cards
    played = getattr(args, "played", "")
    if played is None:
        play = Play(deal, contract.strain, contract.leader, recorded)
    elif played.strip().isdigit():
        if int(played) > len(recorded):
            raise InvalidInput(
                f"not so many cards: {played!r} (the board records {len(recorded)} of play)"
            )
        play = Play(deal, contract.strain, contract.leader, recorded[: int(played)])
    else:
        play = play_cards(start, played)
    return replace(
        board,
        deal=deal,
        contract=contract,
        vulnerability=vulnerability or Vulnerability.NONE,
        play=play,
    )


def _player(args: argparse.Namespace) -> Player:
    return Player(seconds=args.time, seed=args.seed, goal=args.goal, method=args.method)


def _run_card(args: argparse.Namespace) -> int:
    board = _board(args)
    assert board.play is not None
    if board.play.is_over:
        raise InvalidInput("every card was played (expected --played N for an earlier position)")
    _print(args, _player(args).decide(Knowledge.of_board(board, args.seat)))
    return 0


def _run_lead(args: argparse.Namespace) -> int:
    board = _board(args)
    _print(args, _player(args).decide(Knowledge.of_board(board)))
    return 0


def _run_claim(args: argparse.Namespace) -> int:
    board = _board(args)
    if board.play is None or not board.play.cards:
        raise InvalidInput("no card was played (expected --played: dummy is not seen yet)")
    if board.play.is_over:
        raise InvalidInput("every card was played (expected --played N for an earlier position)")
    claim = find_claim(Knowledge.of_board(board, args.seat))
    _print(args, claim)
    return 0 if claim.tricks is not None else 1


def _print(args: argparse.Namespace, answer: Any) -> None:
    if args.json:
        print_json(answer.to_dict())
    else:
        print_text(str(answer), ascii=args.ascii)
