"""`setrograde finesse`: classes of cards and the finesses they allow."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import Any

from setrograde.analysis.finesse.finesses import Finesse, finesses, onside_probability
from setrograde.analysis.finesse.trees import branching
from setrograde.analysis.suit.classes import CardClasses, card_classes
from setrograde.analysis.suit.goals import compare
from setrograde.analysis.suit.holding import SuitHolding, format_ranks
from setrograde.analysis.suit.options import named_lines
from setrograde.analysis.suit.play import solve_suit
from setrograde.bridge import InvalidInput, Seat

from .common import add_json_option, print_json, write_output

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Group the cards of a suit into classes - T top cards, F finesse cards, C critical cards, L low
cards - and show the finesses they allow: preconditions, strategy tree, what happens when they work
and when not, and how likely that is. The finesse is compared with playing from the top."""

_EPILOG = """\
examples:
  setrograde finesse 32 AQ --outstanding K654
  setrograde finesse QJ2 A43
  setrograde finesse AJT2 543 --json
  setrograde finesse 432 AQ5 --svg -"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "finesse",
        help="classes of cards, finesses and their odds",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("north", metavar="NORTH", help="North's cards, like AQT2 or -")
    parser.add_argument("south", metavar="SOUTH", help="South's cards")
    parser.add_argument(
        "--outstanding", metavar="CARDS", help="the defenders' cards; all others unless given"
    )
    parser.add_argument(
        "--all", action="store_true", help="also finesses that do not apply, and why"
    )
    parser.add_argument("--svg", metavar="OUT", help="write the tree of the first that applies")
    add_json_option(parser, "classes and finesses")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print classes and finesses."""
    holding = SuitHolding.from_text(args.north, args.south)
    classes = card_classes(holding, outstanding=args.outstanding)
    found = [finesse for finesse in finesses(classes) if args.all or finesse.applies]
    if args.svg is not None:
        applying = [finesse for finesse in found if finesse.applies]
        if not applying:
            raise InvalidInput(f"no finesse applies to {holding}: nothing to draw")
        write_output(args.svg, (applying[0].tree.to_svg() + "\n").encode())
    elif args.json:
        print_json(_json(classes, found))
    else:
        _print(classes, found)
    return 0


def _print(classes: CardClasses, found: list[Finesse]) -> None:
    names = {"T": "top", "F": "finesse", "C": "critical", "L": "low"}
    for name, word in names.items():
        seats = (Seat.NORTH, Seat.SOUTH) if name in "TF" else ()
        parts = [f"{seat} {classes.text(name, seat)}" for seat in seats]
        where = f"  ({', '.join(parts)})" if parts else ""
        print(f"{name}  {word:9} {classes.text(name)}{where}")
    if not found:
        print("\nno finesse applies")
    for finesse in found:
        print(f"\n{finesse.kind} finesse, {finesse.leader} leads")
        print(f"  {', '.join([_condition(c.text, c.holds) for c in finesse.preconditions])}")
        for line in str(finesse.tree).splitlines():
            print(f"  {line}")
        if finesse.applies:
            chance = _percent(onside_probability(classes, finesse))
            print(f"  C with {finesse.onside} ({chance}): {finesse.if_onside}")
            print(f"  otherwise: {finesse.if_offside}")
            if finesse.times > 1:
                print(f"  repeated, up to {finesse.times} times")
    print(f"\nbranches of the tree at a defender's turn: {_branches(classes)}")
    _print_odds(classes)


def _print_odds(classes: CardClasses) -> None:
    gone = classes.holding.outstanding & ~classes.outstanding
    lines = named_lines(solve_suit(classes.holding, gone=gone))
    for name, outcome in lines.items():
        shares = [f"{n}: {_percent(share)}" for n, share in outcome.distribution.items()]
        print(f"{name:8} tricks {', '.join(shares)}; {float(outcome.average):.3f} on average")
    if "finesse" in lines:
        found = compare(lines["finesse"], lines["drop"])
        print(f"the finesse wins more in {_percent(found.gains)}, the drop in", end=" ")
        print(_percent(found.losses))


def _branches(classes: CardClasses) -> str:
    found = branching(classes)
    return f"{found.card_branches} over cards, {found.class_branches} over classes"


def _condition(text: str, holds: bool) -> str:
    return text if holds else f"{text} (not so)"


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.2f} %"


def _json(classes: CardClasses, found: list[Finesse]) -> dict[str, Any]:
    counted = branching(classes)
    return {
        "classes": {
            name: {
                "cards": classes.text(name),
                **{str(seat): classes.text(name, seat) for seat in (Seat.NORTH, Seat.SOUTH)},
            }
            for name in "TFCL"
        },
        "outstanding": format_ranks(classes.outstanding),
        "finesses": [
            {
                "kind": finesse.kind,
                "leader": str(finesse.leader),
                "applies": finesse.applies,
                "preconditions": [
                    {"text": c.text, "holds": c.holds} for c in finesse.preconditions
                ],
                "tree": {
                    "lead": finesse.tree.lead,
                    "answers": [
                        {"seen": seen, "play": play} for seen, play in finesse.tree.answers
                    ],
                },
                "onside": float(onside_probability(classes, finesse)),
                "if_onside": finesse.if_onside,
                "if_offside": finesse.if_offside,
                "times": finesse.times,
            }
            for finesse in found
        ],
        "branching": {"cards": counted.card_branches, "classes": counted.class_branches},
    }
