"""`setrograde finesse`: the finesses of a suit, and what each is worth."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from setrograde.analysis.finesse import (
    Finesse,
    FinesseReport,
    branching,
    finesse_tree,
    finesses,
    format_report,
    onside_probability,
    report_finesses,
)
from setrograde.analysis.suit import CardClasses, NamedLine, card_classes
from setrograde.analysis.suit.classes import CLASS_NAMES
from setrograde.analysis.suit.named import low_tricks
from setrograde.analysis.suit.plays import Trick
from setrograde.analysis.suit.ranks import format_ranks
from setrograde.analysis.suit.text import format_percent
from setrograde.bridge import InvalidInput, Seat
from setrograde.common.words import count_of

from .common import add_json_option, print_json, write_output
from .positions import number_between
from .suit.command import add_knowledge_options, knowledge

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Name every finesse of a suit as players do, and give its exact chances against defenders who see all
cards: taken at once or after cashing top cards, once or repeated, through either defender. The drop
(playing from the top) and the best of all lines stand beside it, and where the best line is none of
these, the answer says what it does and in which layouts it gains. Declarer may lead from either
hand as often as he likes. A ruffing finesse needs trumps, so it cannot be seen in one suit."""

_EPILOG = """\
examples:
  setrograde finesse AQT9 5432
  setrograde finesse AKJ32 7654 --need 5
  setrograde finesse 32 AQ --outstanding K654 --paper
  setrograde finesse AJT2 543 --json
  setrograde finesse 432 AQ5 --svg -

kinds of finesse:
  simple       leads to a card that one missing card beats, with a card to beat that one
  double       the same with two missing cards
  deep         the same with three or more missing cards
  indirect     leads towards a card with nothing above it, like the king
  high-card    leads a card that has a touching one, and lets it run
  backward     leads a card to be covered, then finesses the other way
  unsupported  leads a card that has no touching one, and lets it run
  two-way      can be taken through either defender
  repeated     is taken again when it has worked
  marked       is known to work"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "finesse",
        help="finesses by name, and what each is worth",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("north", metavar="NORTH", help="North's cards, like AQT2 or -")
    parser.add_argument("south", metavar="SOUTH", help="South's cards")
    parser.add_argument(
        "--outstanding",
        metavar="CARDS",
        help="the defenders' cards (default: all other cards of the suit); twice as many as each of"
        " declarer's hands has are an ending, in which nobody has another card",
    )
    parser.add_argument(
        "--need",
        type=number_between(1, 13),
        metavar="N",
        help="the number of tricks wanted (default: as many as possible on average)",
    )
    add_knowledge_options(parser)
    parser.add_argument(
        "--paper",
        action="store_true",
        help="show the classes of cards, preconditions and strategy trees of Sutherland's paper",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="show weak lines too; with --paper, finesses that do not apply, and why",
    )
    parser.add_argument(
        "--svg",
        metavar="OUT",
        help="draw the strategy tree of the best finesse into this file, - for stdout",
    )
    add_json_option(parser, "lines, classes and finesses")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the finesses."""
    classes = card_classes(args.north, args.south, outstanding=args.outstanding)
    found = [finesse for finesse in finesses(classes) if args.all or finesse.applies]
    report = report_finesses(
        classes.holding,
        outstanding=args.outstanding,
        need=args.need,
        **knowledge(args),
    )
    if args.svg is not None:
        if not report.finesses:
            raise InvalidInput(f"no finesse applies to {classes.holding}: nothing to draw")
        trick = report.finesses[0].trick
        assert trick is not None
        write_output(args.svg, (finesse_tree(trick).to_svg() + "\n").encode())
    elif args.json:
        print_json(_json(classes, found, report))
    elif args.paper:
        _print_paper(classes, found, report)
    else:
        print(format_report(report, is_all=args.all))
    return 0


def _print_paper(classes: CardClasses, found: list[Finesse], report: FinesseReport) -> None:
    for name, word in CLASS_NAMES.items():
        seats = (Seat.NORTH, Seat.SOUTH) if name in "TF" else ()
        parts = [f"{seat} {classes.text(name, seat)}" for seat in seats]
        where = f"  ({', '.join(parts)})" if parts else ""
        print(f"{name}  {word:9} {classes.text(name)}{where}")
    if not found:
        print("\nno finesse of the paper applies")
    for finesse in found:
        _print_finesse(classes, finesse)
    counted = branching(classes)
    cards, by_class = counted.card_branches, counted.class_branches
    print(f"\nbranches at a defender's turn: {cards} over cards, {by_class} over classes")
    for line in report.finesses[:1]:
        _print_tricks(line)


def _print_finesse(classes: CardClasses, finesse: Finesse) -> None:
    print(f"\n{finesse.kind} finesse of one trick, {finesse.leader} leads")
    print(f"  {', '.join([str(condition) for condition in finesse.preconditions])}")
    for line in str(finesse.tree).splitlines():
        print(f"  {line}")
    if finesse.applies:
        chance = format_percent(onside_probability(classes, finesse))
        print(f"  all of C with {finesse.onside} ({chance}): {finesse.if_onside}")
        print(f"  otherwise: {finesse.if_offside}")
        if finesse.times > 1:
            print(f"  taken up to {count_of(finesse.times, 'time')}")


def _print_tricks(line: NamedLine) -> None:
    """The classes of the best finesse, formed anew for each trick."""
    print(f"\nthe best finesse, trick by trick while the defenders play low: {line.name}")
    for number, trick in enumerate(low_tricks(line), 1):
        tree = str(finesse_tree(trick)).splitlines() if trick.is_finesse else [_plain(trick)]
        print(f"  trick {number}: {_classes(trick)}")
        for row in tree:
            print(f"    {row}")


def _plain(trick: Trick) -> str:
    name = "T" if trick.kind == "cash" else "L"
    seat = trick.play.leader if trick.play.is_led else trick.play.leader.partner
    return f"{seat} plays {name}_{seat}"


def _classes(trick: Trick) -> str:
    return ", ".join([f"{name} {format_ranks(bits)}" for name, bits in trick.classes.items()])


def _json(classes: CardClasses, found: list[Finesse], report: FinesseReport) -> dict[str, Any]:
    counted = branching(classes)
    solution = report.solution
    needs = range(solution.holding.tricks_most, 0, -1)
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
        "need": report.need,
        "lines": [_json_line(line, needs) for line in report.lines],
        "best": {
            "chances": {str(need): float(solution.probability(need)) for need in needs},
            "average": float(solution.best().average),
        },
        "gaps": [
            {
                "need": gap.need,
                "best": float(gap.best),
                "named": float(gap.named),
                "line": gap.line.name,
                "text": str(gap),
            }
            for gap in report.gaps
        ],
    }


def _json_line(line: NamedLine, needs: Sequence[int]) -> dict[str, Any]:
    return {
        "name": line.name,
        "kind": line.kind,
        "leader": None if line.leader is None else str(line.leader),
        "onside": None if line.onside is None else str(line.onside),
        "two_way": line.is_two_way,
        "marked": line.is_marked,
        "times": line.times,
        "words": line.words,
        "chances": {str(need): float(line.probability(need)) for need in needs},
        "average": float(line.average),
        "distribution": {str(n): float(share) for n, share in line.outcome.distribution.items()},
        "complete": line.is_complete,
    }
