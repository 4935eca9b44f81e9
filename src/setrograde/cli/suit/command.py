"""`setrograde suit`: how to play one suit."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from setrograde.analysis.suit import (
    BestLine,
    LineOutcome,
    NamedLine,
    SuitSolution,
    best_lines,
    compare,
    describe_line,
    find_line,
    find_named_lines,
    solve_suit,
)
from setrograde.analysis.suit.text import (
    format_comparison,
    format_goal,
    format_layout_table,
    format_solution,
    group_goals,
)
from setrograde.analysis.suit.words import RARE
from setrograde.bridge import InvalidInput
from setrograde.cli.common import add_json_option, print_json
from setrograde.cli.positions import number_between

from .quiz import run_quiz

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Find the best line of play in one suit, exactly: the chance of each number of tricks when declarer
plays for it, against defenders who see all cards. Declarer may lead from either hand as often as he
likes unless --entries limits that. Write a holding like AQT2; x is a low card, - an empty hand.
Each defender has 13 unknown cards unless --vacant says otherwise."""

_EPILOG = """\
examples:
  setrograde suit AQT98 5432
  setrograde suit AKJ2 T543 --need 4 --compare
  setrograde suit AJ98 K32 --goal tricks,average,mp,imp --json
  setrograde suit AQ32 K54 --vacant 8,11 --entries 1,2 --lead N
  setrograde suit --quiz --seed 7 --json

goals:
  tricks   the best chance of a number of tricks
  average  the most tricks on average
  mp       matchpoints: a line that against any other wins more tricks at least as often as fewer
  imp      IMPs: a line that loses IMPs to no other, where --need tricks make the --contract"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "suit",
        help="the best line of play in one suit, exactly",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("north", nargs="?", metavar="NORTH", help="North's cards, like AQT2 or -")
    parser.add_argument("south", nargs="?", metavar="SOUTH", help="South's cards")
    parser.add_argument(
        "--need",
        type=number_between(1, 13),
        metavar="N",
        help="the number of tricks wanted (default: every number)",
    )
    parser.add_argument(
        "--goal",
        default="tricks,average,mp",
        metavar="GOALS",
        help="goals with commas between (default tricks,average,mp)",
    )
    parser.add_argument(
        "--entries",
        metavar="N,S",
        help="entries to North and South in other suits, like 1,2 or any,0 (default: any number)",
    )
    parser.add_argument(
        "--lead", metavar="HAND", help="the hand declarer begins in, N or S (default: either)"
    )
    add_knowledge_options(parser)
    parser.add_argument(
        "--contract", default="3NT", help="the contract, for the goal imp (default 3NT)"
    )
    parser.add_argument(
        "--vul", action="store_true", help="declarer is vulnerable, for the goal imp"
    )
    parser.add_argument(
        "--compare", action="store_true", help="also compare the finesse with playing from the top"
    )
    parser.add_argument(
        "--table",
        action="store_true",
        help="also show the tricks that each line wins in every layout",
    )
    parser.add_argument(
        "--every-case", action="store_true", help="tell lines with every case, rare ones too"
    )
    parser.add_argument(
        "--quiz", action="store_true", help="deal holdings, ask how to begin and judge the answers"
    )
    parser.add_argument(
        "--seed",
        type=number_between(0, 999_999_999),
        metavar="K",
        help="seed of the holdings that --quiz deals (default: different ones each time)",
    )
    add_json_option(parser, "best lines and the tricks of each in every layout")
    parser.set_defaults(run=run)


def add_knowledge_options(parser: argparse.ArgumentParser) -> None:
    """Options that say what is known about the defenders' hands."""
    parser.add_argument(
        "--vacant",
        metavar="W,E",
        help="places in West's and East's hand that no known card of another suit takes"
        " (default: 13,13)",
    )
    parser.add_argument(
        "--west-length",
        metavar="L",
        help="the number of cards West has in this suit, like 3 or 2-4 (default: any)",
    )
    parser.add_argument(
        "--west-has", default="", metavar="CARDS", help="cards that West is known to hold"
    )
    parser.add_argument(
        "--east-has", default="", metavar="CARDS", help="cards that East is known to hold"
    )


def run(args: argparse.Namespace) -> int:
    """Print the best lines."""
    if args.quiz:
        if args.north is not None:
            raise InvalidInput(
                f"both --quiz and a holding: {args.north!r} (expected --quiz alone, which deals"
                " holdings by itself, or the holdings without it)"
            )
        return run_quiz(seed=args.seed, is_json=args.json)
    if args.north is None or args.south is None:
        raise InvalidInput("two holdings are needed: NORTH and SOUTH, like AQT2 543 (- for none)")
    solution = _solve(args)
    goals = [goal.strip() for goal in args.goal.split(",")]
    best = best_lines(
        solution, goals, need=args.need, contract=args.contract, is_vulnerable=args.vul
    )
    rare = Fraction(0) if args.every_case else RARE
    named = find_named_lines(solution, need=args.need) if args.compare else ()
    finesse = next((line for line in named if line.is_finesse), None)
    compared = {"finesse": finesse.outcome} if finesse is not None else {}
    for drop in named:
        if not drop.is_finesse:
            compared["drop"] = drop.outcome
    if args.json:
        print_json(_json(solution, best, compared, rare))
    else:
        print(format_solution(solution, best, rare=rare))
        if compared:
            _print_comparison(finesse, compared)
        if args.table:
            print()
            print(format_layout_table(solution, _columns(best, compared)))
    return 0


def _solve(args: argparse.Namespace) -> SuitSolution:
    return solve_suit(
        args.north,
        args.south,
        **knowledge(args),
        entries=(None, None) if args.entries is None else _entries(args.entries),
        on_lead=args.lead,
    )


def knowledge(args: argparse.Namespace) -> dict[str, Any]:
    """What the options say about the defenders' hands, as arguments of `solve_suit`."""
    found: dict[str, Any] = {
        "west_length": "any" if args.west_length is None else args.west_length,
        "west_has": args.west_has,
        "east_has": args.east_has,
    }
    if args.vacant is not None:
        found["vacant"] = _pair(args.vacant, "vacant places")
    return found


def _pair(text: str, what: str) -> tuple[int, int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(map(_is_number, parts)):
        raise InvalidInput(f"not two numbers of {what}: {text!r} (expected like '8,11')")
    return int(parts[0][:9]), int(parts[1][:9])


def _entries(text: str) -> tuple[int | None, int | None]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part in ("any", "-") or _is_number(part) for part in parts):
        raise InvalidInput(f"not two numbers of entries: {text!r} (expected like '1,2' or 'any,0')")
    north, south = (None if part in ("any", "-") else int(part[:9]) for part in parts)
    return north, south


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _print_comparison(finesse: NamedLine | None, compared: dict[str, LineOutcome]) -> None:
    print()
    for name, outcome in compared.items():
        print(f"{name + ':':8} {outcome}")
    if finesse is None:
        print("There is no finesse to take.")
        return
    print(f"The best finesse is the {finesse.name}.")
    print(format_comparison(compare(compared["finesse"], compared["drop"]), "finesse", "drop"))


def _columns(best: Sequence[BestLine], lines: dict[str, LineOutcome]) -> dict[str, LineOutcome]:
    """The lines of the table by name: the best for each goal, then those compared."""
    found = {
        ", ".join([format_goal(goal) for goal in goals]): goals[0].outcome
        for goals in group_goals(best)
        if goals[0].outcome is not None and goals[0].value != 0
    }
    return {name: outcome for name, outcome in found.items() if outcome is not None} | lines


def _json(
    solution: SuitSolution,
    best: Sequence[BestLine],
    compared: dict[str, LineOutcome],
    rare: Fraction,
) -> dict[str, Any]:
    table = solution.table
    result: dict[str, Any] = {
        "north": solution.holding.north,
        "south": solution.holding.south,
        "best": [_json_line(solution, line, rare) for line in best],
        "layouts": [
            {
                "west": layout.west,
                "east": layout.east,
                "text": str(layout),
                "weight": layout.weight,
                "probability": float(table.probability(layout)),
            }
            for layout in table.layouts
        ],
        "lines": solution.lines,
    }
    if compared:
        result["compared"] = {name: _json_outcome(line) for name, line in compared.items()}
    return result


def _json_line(solution: SuitSolution, line: BestLine, rare: Fraction) -> dict[str, Any]:
    found: dict[str, Any] = {
        "goal": line.goal,
        "need": line.need,
        "value": None if line.value is None else float(line.value),
        "exact": None if line.value is None else str(line.value),
        "proven": line.is_proven,
        "at_most": None if line.at_most is None else float(line.at_most),
        "line": None,
    }
    if line.outcome is not None:
        words = describe_line(solution, find_line(solution, line.outcome), rare=rare)
        found |= {"line": words, **_json_outcome(line.outcome)}
    return found


def _json_outcome(outcome: LineOutcome) -> dict[str, Any]:
    return {
        "tricks": list(outcome.tricks),
        "average": float(outcome.average),
        "distribution": {str(n): float(share) for n, share in outcome.distribution.items()},
    }
