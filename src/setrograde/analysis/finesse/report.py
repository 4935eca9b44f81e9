"""The finesses of a suit in words: each with its exact chances, beside the drop and the best line.

The figures come from the play of the suit (`setrograde.analysis.suit.named`), the names from the
classes of cards, which are formed anew after each trick.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from textwrap import fill

from setrograde.analysis.suit.goals import compare
from setrograde.analysis.suit.holding import HoldingLike, SuitHolding, as_holding, parse_cards
from setrograde.analysis.suit.layouts import LengthLike
from setrograde.analysis.suit.lines import find_line
from setrograde.analysis.suit.named import NamedLine, find_named_lines
from setrograde.analysis.suit.play import LineOutcome, SuitSolution, solve_suit
from setrograde.analysis.suit.plays import CASH, DUCK, FORCE, Trick, name_of_card, trick_of
from setrograde.analysis.suit.ranks import format_ranks
from setrograde.analysis.suit.text import WIDTH, format_layouts, format_percent
from setrograde.bridge import InvalidInput
from setrograde.common.stop import StopFlag
from setrograde.common.words import count_of

from .trees import StrategyTree

__all__ = ["FinesseReport", "Gap", "finesse_tree", "format_report", "report_finesses"]

_SHOWN = 6
_CAPTION = "Chance of that many tricks or more, against defenders who see all cards:"


@dataclass(frozen=True)
class Gap:
    """A goal for which the best line is better than every finesse and the drop.

    >>> gap = report_finesses("AQT98", "5432").gaps[0]
    >>> gap.need, round(float(gap.best), 4), round(float(gap.named), 4)
    (4, 0.8278, 0.78)
    >>> gap.beginning
    'leads low from South to the ace, and then goes by the cards seen'
    """

    solution: SuitSolution
    """The suit."""

    need: int | None
    """The number of tricks; `None` for the most on average."""

    line: NamedLine
    """The finesse or the drop that comes closest."""

    @property
    def best(self) -> Fraction:
        """What the best line is worth: a chance, or an average."""
        return _value(self.solution.best(need=self.need), self.need)

    @property
    def named(self) -> Fraction:
        """What the line that comes closest is worth."""
        return _value(self.line.best(need=self.need), self.need)

    @cached_property
    def beginning(self) -> str:
        """How the best line begins."""
        line = find_line(self.solution, self.solution.best(need=self.need))
        if line is None or line.is_plain:
            return "plays from the top"
        trick = trick_of(self.solution.game, line)
        card = name_of_card(trick.play.card)
        hand = trick.play.leader.name.title()
        is_fixed = len({follow.card for follow in line.follow.values()}) == 1
        if trick.kind == CASH and is_fixed:
            return f"cashes the {card} and then goes by the cards seen"
        if trick.kind == DUCK:
            return "ducks a round first"
        if trick.kind == FORCE or trick.play.is_led:
            return f"leads the {card} from {hand}, and then goes by the cards seen"
        return f"leads low from {hand} to the {card}, and then goes by the cards seen"

    def __str__(self) -> str:
        found = compare(self.solution.best(need=self.need), self.line.best(need=self.need))
        goal = "On average" if self.need is None else f"For {count_of(self.need, 'trick')}"
        if self.need is None:
            best, more = f"{float(self.best):.3f} tricks", f"{float(self.best - self.named):.3f}"
        else:
            best = f"a chance of {format_percent(self.best)}"
            more = f"{float(100 * (self.best - self.named)):.2f} points"
        text = (
            f"{goal} the best line of all has {best}, {more} more than the {self.line.name}."
            f" It {self.beginning}. It wins more tricks in {format_percent(found.gains)} of deals"
            f" (West — East): {format_layouts(found.more)}"
        )
        if found.fewer:
            text += f"; fewer in {format_percent(found.losses)}: {format_layouts(found.fewer)}"
        return text + "."


@dataclass(frozen=True)
class FinesseReport:
    """The finesses of a suit and the drop, best first, and where the best line is better.

    >>> report = report_finesses("KJT", "432")
    >>> report.lines[0].name, report.lines[0].probability(2), report.gaps
    ('repeated simple finesse of the jack', Fraction(1, 2), ())
    """

    solution: SuitSolution
    """The suit."""

    lines: tuple[NamedLine, ...]
    """The finesses and the drop, best first."""

    need: int | None
    """The number of tricks wanted; `None` for the most on average."""

    @property
    def finesses(self) -> tuple[NamedLine, ...]:
        """The finesses, best first."""
        return tuple(line for line in self.lines if line.is_finesse)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The goals for which no finesse, and not the drop, is the best line."""
        most = self.solution.holding.tricks_most
        goals = [*range(most, 0, -1), None] if self.need is None else [self.need]
        found = []
        for need in goals:
            line = max(self.lines, key=lambda line: _value(line.best(need=need), need))
            gap = Gap(self.solution, need, line)
            if gap.named < gap.best:
                found.append(gap)
        return tuple(found)

    def __str__(self) -> str:
        return format_report(self)


def report_finesses(
    north: HoldingLike,
    south: str | None = None,
    *,
    outstanding: str | None = None,
    vacant: tuple[int, int] | None = None,
    west_length: LengthLike = "any",
    west_has: str = "",
    east_has: str = "",
    need: int | None = None,
    stop: StopFlag | None = None,
) -> FinesseReport:
    """Weigh every finesse of a suit against the drop and against the best line.

    `outstanding` are the defenders' cards; all other cards of the suit unless given. If each of the
    four hands can hold as many cards of the suit as the others, like two each in "32", "AQ" and
    "K654", that is the ending: each hand holds just these. The other options are those of
    `solve_suit`. With `need` lines are compared by the chance of that number of tricks, otherwise
    by their average.

    >>> print(report_finesses("AQ", "32"))
    North AQ, South 32; the defenders hold KJT987654
    Best: the simple finesse of the queen
    <BLANKLINE>
    Chance of that many tricks or more, against defenders who see all cards:
                                 2 tricks  average
    simple finesse of the queen   50.00 %    1.500
    drop                           0.12 %    1.001
    best of all lines             50.00 %    1.500
    <BLANKLINE>
    Simple finesse of the queen: Lead low from South to the queen; if West plays the king, beat it.
    Drop: Play from the top; once a defender shows out, take a finesse that is marked.
    """
    holding = as_holding(north, south)
    gone = ""
    if outstanding is not None:
        cards = parse_cards(outstanding)
        if cards & holding.own_bits:
            twice = format_ranks(cards & holding.own_bits)
            raise InvalidInput(f"card twice: {twice!r} held and outstanding")
        gone = format_ranks(holding.outstanding_bits & ~cards)
    most = holding.tricks_most
    if vacant is None:
        is_ending = _is_ending(holding, outstanding)
        vacant = (most, most) if is_ending else (13, 13)
    if need is not None and not 1 <= need <= most:
        raise InvalidInput(f"not a number of tricks: {need} (expected 1 to {most})")
    solution = solve_suit(
        holding,
        vacant=vacant,
        west_length=west_length,
        west_has=west_has,
        east_has=east_has,
        gone=gone,
        stop=stop,
    )
    return FinesseReport(solution, find_named_lines(solution, need=need, stop=stop), need)


def _is_ending(holding: SuitHolding, outstanding: str | None) -> bool:
    """True if all four hands have as many cards, and no others."""
    if outstanding is None:
        return False
    sizes = {holding.north_bits.bit_count(), holding.south_bits.bit_count()}
    return sizes == {parse_cards(outstanding).bit_count() / 2}


def finesse_tree(trick: Trick) -> StrategyTree:
    """The strategy tree of a finesse over its classes, as in the paper.

    >>> report = report_finesses("5432", "AQT9")
    >>> print(finesse_tree(report.lines[0].trick))
    N plays L_N
    ├─ E plays L_EW: S plays F_S
    └─ E plays C: S plays T_S
    """
    leader = trick.play.leader
    partner = leader.partner
    lead = f"{'F' if trick.play.is_led else 'L'}_{leader}"
    low = f"{'L' if trick.play.is_led else 'F'}_{partner}"
    high = f"{'T' if trick.caught_bits else 'L'}_{partner}"
    return StrategyTree(leader, lead, (("L_EW", low), ("C", high)))


def format_report(report: FinesseReport, *, is_all: bool = False, width: int = WIDTH) -> str:
    """The report as text: a table, the lines in words, and what the best line does better.

    The best six lines are shown unless `is_all`. Words are wrapped to `width`.
    """
    solution, lines = report.solution, report.lines if is_all else _shown(report)
    holding = solution.holding
    found = [
        f"North {holding.north}, South {holding.south};"
        f" the defenders hold {solution.table.outstanding}",
        _verdict(report),
    ]
    if not report.finesses:
        found.append("There is no finesse to take.")
    found += ["", _CAPTION, *_table(report, lines), ""]
    for line in lines:
        name = line.name[:1].upper() + line.name[1:]
        found.append(_fill(f"{name}: {line.words}", width))
    hidden = len(report.lines) - len(lines)
    if hidden:
        found.append(f"{count_of(hidden, 'weaker line')} not shown; --all shows every one.")
    for gap in report.gaps:
        found += ["", _fill(str(gap), width)]
    if not all(line.is_complete for line in lines):
        found += [
            "",
            fill(
                "This suit has too many lines to list: after a finesse declarer plays on as well as"
                " can be found quickly, so a finesse may be worth a little more than shown.",
                width,
            ),
        ]
    return "\n".join(found)


def _verdict(report: FinesseReport) -> str:
    if not report.solution.best().average:
        return "No line wins a trick."
    return f"Best: the {report.lines[0].name}" + (" (of these lines)" if report.gaps else "")


def _fill(text: str, width: int) -> str:
    space = "\N{NO-BREAK SPACE}"
    kept = text.replace(" %", f"{space}%").replace(" — ", f"{space}—{space}")
    filled = fill(kept, width, subsequent_indent="  ", break_on_hyphens=False)
    return filled.replace(space, " ")


def _shown(report: FinesseReport) -> tuple[NamedLine, ...]:
    """The best lines, with the drop."""
    best = report.lines[:_SHOWN]
    drop = next(line for line in report.lines if not line.is_finesse)
    return best if drop in best else (*best[:-1], drop)


def _table(report: FinesseReport, lines: tuple[NamedLine, ...]) -> list[str]:
    """By line and number of tricks, the best chance of that number or more."""
    solution = report.solution
    needs = [
        need
        for need in range(solution.holding.tricks_most, 0, -1)
        if solution.probability(need) and min(line.probability(need) for line in lines) < 1
    ]
    if not needs:
        needs = [max(n for n in solution.best().distribution)]
    heads = [count_of(need, "trick") for need in needs]
    rows = [(line.name, [line.probability(need) for need in needs], line.average) for line in lines]
    rows.append(
        (
            "best of all lines",
            [solution.probability(need) for need in needs],
            solution.best().average,
        )
    )
    name_width = max(len(name) for name, _, _ in rows)
    found = [" " * name_width + "".join([f"{head:>10}" for head in heads]) + f"{'average':>9}"]
    for name, chances, average in rows:
        cells = "".join([f"{format_percent(chance):>10}" for chance in chances])
        found.append(f"{name:{name_width}}{cells}{float(average):>9.3f}")
    return found


def _value(outcome: LineOutcome, need: int | None) -> Fraction:
    return outcome.average if need is None else outcome.probability(need)
