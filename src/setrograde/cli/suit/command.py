"""`setrograde suit`: how to play one suit."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from setrograde.analysis.suit.goals import BestLine, best_lines, compare
from setrograde.analysis.suit.holding import SuitHolding, format_ranks
from setrograde.analysis.suit.lines import find_line
from setrograde.analysis.suit.options import named_lines
from setrograde.analysis.suit.play import Outcome, SuitSolution, solve_suit
from setrograde.analysis.suit.words import describe_line
from setrograde.bridge import Contract, InvalidInput, Seat
from setrograde.cli.common import add_json_option, print_json
from setrograde.cli.positions import number_between

from .quiz import run_quiz

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
The best line in one suit, exactly: how likely each number of tricks is if declarer plays for it,
against defenders who see all cards. Declarer leads from either hand as often as he likes unless
--entries says otherwise. A holding is written like AQT2, xxx or - (x: a low card). Deals are
weighed with 13 unknown cards in either defender's hand unless --vacant says otherwise."""

_EPILOG = """\
examples:
  setrograde suit AQT98 5432
  setrograde suit AKJ2 T543 --need 4 --compare
  setrograde suit AJ98 K32 --goal tricks,average,mp,imp --json
  setrograde suit AQ32 K54 --vacant 8,11 --entries 1,2 --lead N
  setrograde suit --quiz --seed 7 --json

goals: tricks (as likely as possible to win so many), average (most tricks on average), mp (wins
more tricks than any other line, more often than fewer), imp (gains IMPs against any other line,
where --need tricks make the --contract)"""

_NOT_PROVEN = "not proven to be best, but no line exceeds"


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "suit", help="the best line in one suit, exact", description=_DESCRIPTION, epilog=_EPILOG
    )
    parser.add_argument("north", nargs="?", metavar="NORTH", help="North's cards, like AQT2 or -")
    parser.add_argument("south", nargs="?", metavar="SOUTH", help="South's cards")
    parser.add_argument(
        "--need",
        type=number_between(1, 13),
        metavar="N",
        help="tricks wanted; otherwise each number",
    )
    parser.add_argument(
        "--goal",
        default="tricks,average,mp",
        metavar="GOALS",
        help="of tricks, average, mp, imp, with commas between (default tricks,average,mp)",
    )
    parser.add_argument(
        "--entries",
        metavar="N,S",
        help="entries to North and South in other suits, like 1,2 or any,0",
    )
    parser.add_argument("--lead", metavar="HAND", help="the hand declarer begins in, N or S")
    parser.add_argument(
        "--vacant",
        metavar="W,E",
        help="places in West's and East's hand not known from other suits",
    )
    parser.add_argument(
        "--west-length", metavar="L", help="cards West has in this suit, like 3 or 2-4"
    )
    parser.add_argument(
        "--west-has", default="", metavar="CARDS", help="cards West is known to hold"
    )
    parser.add_argument(
        "--east-has", default="", metavar="CARDS", help="cards East is known to hold"
    )
    parser.add_argument("--contract", default="3NT", help="for imp (default 3NT)")
    parser.add_argument("--vul", action="store_true", help="for imp: declarer is vulnerable")
    parser.add_argument(
        "--compare", action="store_true", help="also the finesse against the play from the top"
    )
    parser.add_argument(
        "--every-case", action="store_true", help="lines with every case, also what is rare"
    )
    parser.add_argument("--quiz", action="store_true", help="deal a holding and judge your answer")
    parser.add_argument(
        "--seed",
        type=number_between(0, 999_999_999),
        metavar="K",
        help="which holdings --quiz deals",
    )
    add_json_option(parser, "best lines and the tricks of each in every lie")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the best lines."""
    if args.quiz:
        return run_quiz(seed=args.seed, is_json=args.json)
    if args.north is None or args.south is None:
        raise InvalidInput("two holdings are needed: NORTH and SOUTH, like AQT2 543 (- for none)")
    solution = _solve(args)
    goals = [goal.strip() for goal in args.goal.split(",")]
    best = best_lines(
        solution,
        goals,
        need=args.need,
        contract=_contract(args.contract),
        is_vulnerable=args.vul,
    )
    rare = Fraction(0) if args.every_case else Fraction(1, 40)
    if args.json:
        print_json(_json(solution, best, rare=rare, is_compared=args.compare, need=args.need))
    else:
        _print(solution, best, rare=rare)
        if args.compare:
            _print_comparison(solution, args.need)
    return 0


def _solve(args: argparse.Namespace) -> SuitSolution:
    holding = SuitHolding.from_text(args.north, args.south)
    seat = None if args.lead is None else Seat.from_text(args.lead)
    return solve_suit(
        holding,
        vacant=_pair(args.vacant, "vacant places", (13, 13)),
        west_length=_length(args.west_length),
        west_has=_cards(args.west_has),
        east_has=_cards(args.east_has),
        entries=_entries(args.entries),
        on_lead=seat,
    )


def _pair(text: str | None, what: str, usual: tuple[int, int]) -> tuple[int, int]:
    if text is None:
        return usual
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise InvalidInput(f"not two numbers of {what}: {text!r} (expected like '8,11')")
    return int(parts[0][:9]), int(parts[1][:9])


def _entries(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise InvalidInput(f"not two numbers of entries: {text!r} (expected like '1,2' or 'any,0')")
    north, south = (
        None if part in ("any", "-") else _pair(f"{part},0", "entries", (0, 0))[0] for part in parts
    )
    return north, south


def _length(text: str | None) -> tuple[int, int]:
    if text is None:
        return 0, 13
    low, dash, high = text.partition("-")
    fewest, most = _pair(f"{low},{high if dash else low}", "cards", (0, 13))
    return fewest, most


def _cards(text: str) -> int:
    return SuitHolding.from_text(text, "-").north if text else 0


def _contract(text: str) -> Contract:
    """A contract by South unless it says who."""
    return Contract.from_text(text if text[-1:].upper() in tuple("NESW") else f"{text}S")


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.2f} %"


def _title(best: BestLine) -> str:
    if best.goal == "tricks":
        assert best.value is not None
        noun = "trick" if best.need == 1 else "tricks"
        limit = "" if best.at_most is None else f"; {_NOT_PROVEN} {_percent(best.at_most)}"
        return f"{best.need} {noun}: {_percent(best.value)}{limit}"
    if best.goal == "average":
        assert best.value is not None
        limit = "" if best.at_most is None else f"; {_NOT_PROVEN} {float(best.at_most):.4f}"
        return f"most tricks on average: {float(best.value):.4f}{limit}"
    name = "matchpoints" if best.goal == "mp" else f"IMPs ({best.need} tricks make the contract)"
    if not best.is_proven:
        return f"{name}: not settled, too many lines"
    return f"{name}: {'no line that no other beats' if best.value is None else 'unbeaten line'}"


def _print(solution: SuitSolution, best: Sequence[BestLine], *, rare: Fraction) -> None:
    holding = solution.holding
    out = format_ranks(sum(solution.table.runs))
    print(f"North {format_ranks(holding.north)}, South {format_ranks(holding.south)}; {out} out")
    lines = "too many" if solution.lines is None else solution.lines
    print(f"{len(solution.table.lies)} lies, {lines} lines that no other matches")
    told = dict[tuple[int, ...], str]()
    for line in best:
        print()
        print(_title(line))
        if line.outcome is None or not (line.value or line.goal != "tricks"):
            continue
        key = line.outcome.tricks
        if key in told:
            print(f"  the line for {told[key]}")
            continue
        told[key] = _title(line).split(":")[0]
        if set(key) == {max(key)} and line.goal == "tricks":
            print(f"  {max(key)} tricks in every lie")
        words = describe_line(solution, find_line(solution, line.outcome), rare=rare)
        print("\n".join([f"  {text}" for text in words.splitlines()]))
        print(f"  {_distribution(line.outcome)}")


def _distribution(outcome: Outcome) -> str:
    parts = [f"{tricks}: {_percent(share)}" for tricks, share in outcome.distribution.items()]
    return f"tricks {', '.join(parts)}; {float(outcome.average):.3f} on average"


def _print_comparison(solution: SuitSolution, need: int | None) -> None:
    lines = named_lines(solution, need=need)
    print()
    for name, outcome in lines.items():
        print(f"{name:8} {_distribution(outcome)}")
    if "finesse" not in lines:
        print("no finesse to take")
        return
    found = compare(lines["finesse"], lines["drop"])
    print(f"the finesse wins more in {_percent(found.gains)}: {_lies(found.more)}")
    print(f"the drop wins more in {_percent(found.losses)}: {_lies(found.fewer)}")


def _lies(lies: Sequence[object]) -> str:
    return "; ".join([str(lie) for lie in lies]) or "never"


def _json(
    solution: SuitSolution,
    best: Sequence[BestLine],
    *,
    rare: Fraction,
    is_compared: bool,
    need: int | None,
) -> dict[str, Any]:
    rows = [_json_line(solution, line, rare) for line in best]
    table = solution.table
    result: dict[str, Any] = {
        "north": format_ranks(solution.holding.north),
        "south": format_ranks(solution.holding.south),
        "best": rows,
        "layouts": [
            {
                "west": format_ranks(lie.west),
                "east": format_ranks(lie.east),
                "text": str(lie),
                "weight": lie.weight,
                "probability": float(table.probability(lie)),
            }
            for lie in table.lies
        ],
        "lines": solution.lines,
    }
    if is_compared:
        lines = named_lines(solution, need=need)
        result["compared"] = {name: _json_outcome(line) for name, line in lines.items()}
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


def _json_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "tricks": list(outcome.tricks),
        "average": float(outcome.average),
        "distribution": {str(n): float(share) for n, share in outcome.distribution.items()},
    }
