"""`setrograde finesse`: classes of cards and the finesses they allow."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.analysis.finesse import Finesse, branching, finesses, onside_probability
from setrograde.analysis.suit import CardClasses, card_classes, compare, named_lines, solve_suit
from setrograde.analysis.suit.classes import CLASS_NAMES
from setrograde.analysis.suit.text import count_of, format_percent
from setrograde.bridge import InvalidInput, Seat

from .common import add_json_option, print_json, write_output

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Sort the cards of a suit into classes (T top cards, F finesse cards, C critical cards, L low cards)
and show the finesses they allow: preconditions, strategy tree, what happens when the finesse works
and when it does not, and how likely that is. Then compare the finesse with playing from the top."""

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
        "--outstanding",
        metavar="CARDS",
        help="the defenders' cards (default: all other cards of the suit)",
    )
    parser.add_argument(
        "--all", action="store_true", help="show finesses that do not apply too, and why"
    )
    parser.add_argument(
        "--svg",
        metavar="OUT",
        help="draw the tree of the first finesse that applies into this file, - for stdout",
    )
    add_json_option(parser, "classes and finesses")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print classes and finesses."""
    classes = card_classes(args.north, args.south, outstanding=args.outstanding)
    found = [finesse for finesse in finesses(classes) if args.all or finesse.applies]
    if args.svg is not None:
        applying = [finesse for finesse in found if finesse.applies]
        if not applying:
            raise InvalidInput(f"no finesse applies to {classes.holding}: nothing to draw")
        write_output(args.svg, (applying[0].tree.to_svg() + "\n").encode())
    elif args.json:
        print_json(_json(classes, found))
    else:
        _print(classes, found)
    return 0


def _print(classes: CardClasses, found: list[Finesse]) -> None:
    for name, word in CLASS_NAMES.items():
        seats = (Seat.NORTH, Seat.SOUTH) if name in "TF" else ()
        parts = [f"{seat} {classes.text(name, seat)}" for seat in seats]
        where = f"  ({', '.join(parts)})" if parts else ""
        print(f"{name}  {word:9} {classes.text(name)}{where}")
    if not found:
        print("\nno finesse applies")
    for finesse in found:
        _print_finesse(classes, finesse)
    counted = branching(classes)
    cards, by_class = counted.card_branches, counted.class_branches
    print(f"\nbranches at a defender's turn: {cards} over cards, {by_class} over classes")
    _print_odds(classes)


def _print_finesse(classes: CardClasses, finesse: Finesse) -> None:
    print(f"\n{finesse.kind} finesse, {finesse.leader} leads")
    print(f"  {', '.join([str(condition) for condition in finesse.preconditions])}")
    for line in str(finesse.tree).splitlines():
        print(f"  {line}")
    if finesse.applies:
        chance = format_percent(onside_probability(classes, finesse))
        print(f"  C with {finesse.onside} ({chance}): {finesse.if_onside}")
        print(f"  otherwise: {finesse.if_offside}")
        if finesse.times > 1:
            print(f"  taken up to {count_of(finesse.times, 'time')}")


def _print_odds(classes: CardClasses) -> None:
    lines = named_lines(solve_suit(classes.holding, gone=classes.gone))
    for name, outcome in lines.items():
        print(f"{name + ':':8} {outcome}")
    if "finesse" in lines:
        found = compare(lines["finesse"], lines["drop"])
        gains, losses = format_percent(found.gains), format_percent(found.losses)
        print(f"The finesse wins more tricks in {gains} of deals, the drop in {losses}.")


def _json(classes: CardClasses, found: list[Finesse]) -> dict[str, Any]:
    counted = branching(classes)
    return {
        "classes": {
            name: {
                "cards": classes.text(name),
                **{str(seat): classes.text(name, seat) for seat in (Seat.NORTH, Seat.SOUTH)},
            }
            for name in CLASS_NAMES
        },
        "outstanding": classes.outstanding,
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
