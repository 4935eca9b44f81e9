"""Answers about odds as text for a terminal; each part says whether it is proved or estimated."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from setrograde.bridge import Strain
from setrograde.common.stop import StopFlag

from .chances import KIND_WORDS, format_chance, format_chances, format_percent
from .plot import format_bars
from .result import Average, Mean, Odds, StopReason
from .words import explain_middle

if TYPE_CHECKING:  # these import this module to show themselves
    from .contracts import ContractComparison, OddsTable
    from .leads import LeadOdds

__all__ = [
    "format_comparison",
    "format_leads",
    "format_odds",
    "format_reasons",
    "format_table",
]

_WHY_STOPPED = {
    "time": "Stopped: the time is up.",
    "within": "Stopped: known closely enough.",
    "interrupted": "Stopped by Ctrl-C.",
    "request": "Stopped on request.",
}


def format_odds(odds: Odds, *, ascii: bool = False) -> str:
    """The answer in paragraphs, without its reasons.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds("AQ...", "32...", "NT", "S", need=2, hidden="KJT9...")
    >>> print(format_odds(found))
    If everyone sees all cards (double dummy): notrump by South, 6 layouts of the unseen cards
    <BLANKLINE>
    2 or more tricks: 50.00 %, exact (3 of 6 layouts)
    """
    sections = [format_head(odds)]
    if odds.stopped is not None and not odds.exact:
        sections.append(f"{_WHY_STOPPED[odds.stopped]} Not exact:")
    sections.append(_threshold(odds, odds.need) if odds.need is not None else _all(odds, ascii))
    sections += map(str, odds.guesses)
    return "\n\n".join(sections)


def format_head(odds: Odds) -> str:
    """What the answer is, and what was asked, in one line."""
    question = odds.question
    trumps = "notrump" if question.strain is Strain.NOTRUMP else f"{question.strain.symbol} trumps"
    declarer = question.declarer.name.title()
    head = f"{KIND_WORDS}: {trumps} by {declarer}, {_layouts(odds.layouts)} of the unseen cards"
    if question.played:
        head += f", after {' '.join([card.pretty for card in question.played])}"
    return head


def format_reasons(odds: Odds, *, stop: StopFlag | None = None) -> str | None:
    """The conditions that decide; `None` if nothing does, or it is not known yet.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> print(format_reasons(found))
    Why 2 tricks:
    What decides it:
      ♠K with East: 0.00 %; ♠K with West: 100.00 %
    Cases:
      50.00 % of layouts: 100.00 % if ♠K with West
      50.00 % of layouts: 0.00 % if ♠K with East
    """
    explained = explain_middle(odds, stop=stop)
    if explained is None or not str(explained[1]):
        return None
    need, why = explained
    return f"{why}" if odds.need is not None else f"Why {need} tricks:\n{why}"


def _why_stopped(reason: StopReason | None) -> list[str]:
    return [] if reason is None else [_WHY_STOPPED[reason]]


def _need_words(found: LeadOdds) -> list[str]:
    """In an ending, what it takes to beat the contract: its level says nothing there."""
    tricks = len(found.leads)
    if tricks == 13:
        return []
    return [f"An ending of {tricks} tricks: declarer needs {found.need} of them."]


def _layouts(count: int) -> str:
    return f"{count:,} {'layout' if count == 1 else 'layouts'}"


def _threshold(odds: Odds, need: int) -> str:
    what = f"{need} or more tricks"
    low, high = odds.counts_at_least(need)
    if low == high:
        share = Fraction(low, odds.layouts)
        return f"{what}: {format_chance(share)}, exact ({low:,} of {_layouts(odds.layouts)})"
    lines = [f"{what}: proved {format_chances(low / odds.layouts, high / odds.layouts)}"]
    estimate = odds.estimate_at_least(need)
    if estimate is not None:
        lines.append(f"{' ' * len(what)}  estimated {estimate}")
    return "\n".join(lines)


def _all(odds: Odds, ascii: bool) -> str:
    """The whole distribution."""
    if odds.average is not None:
        title = f"Tricks, exact; {float(odds.average):.4f} on average"
        return f"{title}\n{format_bars(odds, ascii=ascii)}"
    low, high = odds.average_bounds
    lines = [f"Tricks on average: proved {float(low):.3f} to {float(high):.3f}"]
    if odds.sample is not None:
        error = odds.sample.standard_error or 0.0
        lines += [
            f"Estimated from {len(odds.sample.tricks)} layouts: {odds.sample.average:.3f}"
            f" ± {error:.3f} on average",
            format_bars(odds, ascii=ascii),
        ]
    needs = range(1, odds.question.tricks + 1)
    lines += [_threshold(odds, need) for need in needs if odds.counts_at_least(need)[1] > 0]
    return "\n".join(lines)


# --- several contracts ---


def format_table(table: OddsTable) -> str:
    """Declarer's average and the chance of each level, a row for each strain and declarer.

    >>> from setrograde.analysis.odds.contracts import odds_table
    >>> from setrograde.analysis.odds.question import OddsQuestion
    >>> from setrograde.bridge import Hand
    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> print(format_table(odds_table(question, strains=[Strain.NOTRUMP])))
    If everyone sees all cards (double dummy): exact, over all 6 layouts
              average    1+     2+
    NT by N     2.000  100.0  100.0
    NT by S     1.500  100.0   50.0
    """
    if not table:
        return "\n".join(["no contracts", *_why_stopped(table.stopped)])
    first = next(iter(table.values()))
    sample = first.sample
    if sample is None:
        title = f"exact, over all {_layouts(first.layouts)}"
    else:
        title = (
            f"estimated from {len(sample.tricks)} of {_layouts(first.layouts)} (seed {sample.seed})"
        )
    tricks = first.question.tricks
    needs = range(7, 14) if tricks == 13 else range(1, tricks + 1)
    heads = [f"{f'{need}+ ':>6}" for need in needs]
    lines = [
        f"{KIND_WORDS}: {title}",
        *_why_stopped(table.stopped),
        f"          average {' '.join(heads)}".rstrip(),
    ]
    for (seat, strain), odds in table.items():
        name = f"{strain.symbol} by {seat}"
        chances = [f"{format_percent(_chance(odds, need), places=1):>6}" for need in needs]
        lines.append(f"{name:8}  {_mean_tricks(odds):7.3f} {' '.join(chances)}")
    return "\n".join(lines)


def _chance(odds: Odds, need: int) -> float:
    estimate = odds.estimate_at_least(need)
    return float(odds.bounds_at_least(need)[0]) if estimate is None else estimate.share


def _mean_tricks(odds: Odds) -> float:
    if odds.average is not None or odds.sample is None:
        return float(odds.average_bounds[0])
    return odds.sample.average


def _short(value: Average, places: int = 2) -> str:
    return f"{float(value):.{places}f}{_plus_minus(value, places)}"


def _short_chance(value: Average) -> str:
    exact = value.value if isinstance(value, Mean) else value
    return f"{format_percent(exact, places=1)}{_plus_minus(value, 1, 100)} %"


def _plus_minus(value: Average, places: int, scale: int = 1) -> str:
    error = value.standard_error if isinstance(value, Mean) else None
    return "" if error is None else f" ±{scale * error:.{places}f}"


def format_comparison(found: ContractComparison) -> str:
    """A row for each contract, then which is best.

    >>> from setrograde.analysis.odds.contracts import compare_contracts
    >>> from setrograde.analysis.odds.question import OddsQuestion
    >>> from setrograde.bridge import Contract, Hand
    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> contracts = [Contract.from_text("1NTS"), Contract.PASSED_OUT]
    >>> print(format_comparison(compare_contracts(question, contracts)))
    If everyone sees all cards (double dummy): exact, over all 6 layouts
    An ending of 2 tricks: declarer is scored as if he had lost the other 11.
    1NTS   makes 0.0 %   points -275.0
           against Pass: IMPs -6.50, matchpoints 0.0 %
    Pass   makes 0.0 %   points 0.0
           against 1NTS: IMPs 6.50, matchpoints 100.0 %
    best at IMPs: Pass; at matchpoints: Pass; in points: Pass
    """
    how = "exact, over all" if found.exact else "estimated, the same for all, from"
    seed = "" if found.exact else f" (seed {found.seed}); ± standard error"
    lines = [f"{KIND_WORDS}: {how} {_layouts(found.layouts)}{seed}", *_why_stopped(found.stopped)]
    if found.tricks < 13:
        lines.append(
            f"An ending of {found.tricks} tricks: declarer is scored as if he had lost the other"
            f" {13 - found.tricks}."
        )
    for place, value in enumerate(found.values):
        lines.append(
            f"{value.contract!s:6} makes {_short_chance(value.makes)}"
            f"   points {_short(value.points, 1)}"
        )
        for other, rival in enumerate(found.values):
            if other != place:
                share = _short_chance(value.matchpoints[other])
                lines.append(
                    f"       against {rival.contract}: IMPs {_short(value.imps[other])},"
                    f" matchpoints {share}"
                )
    best = [found.best(goal).contract for goal in ("imps", "matchpoints", "points")]
    lines.append(f"best at IMPs: {best[0]}; at matchpoints: {best[1]}; in points: {best[2]}")
    return "\n".join(lines)


def format_leads(found: LeadOdds) -> str:
    """A row for each lead, the best first.

    >>> from setrograde.analysis.odds.leads import lead_odds
    >>> from setrograde.bridge import Contract, Hand
    >>> print(format_leads(lead_odds(Hand.from_text("KJ.2.."), Contract.from_text("1NTS"),
    ...     dummy=Hand.from_text("AQ.A.."), hidden=Hand.from_text("T98.543.."))))
    If everyone sees all cards (double dummy): leads against 1NTS, exact, over all 20 layouts
    An ending of 3 tricks: declarer needs 3 of them.
    lead  beats it  tricks
    ♥2    100.0 %   1.00
    ♠K    0.0 %     0.00
    ♠J    0.0 %     0.00
    """
    how = f"exact, over all {_layouts(found.layouts)}"
    if not found.exact:
        how = f"estimated from {_layouts(found.layouts)} (seed {found.seed}); ± standard error"
    rows = [
        (lead.card.pretty, _short_chance(lead.beats), _short(lead.tricks)) for lead in found.leads
    ]
    width = max(8, *[len(beats) for _, beats, _ in rows])
    lines = [
        f"{KIND_WORDS}: leads against {found.contract}, {how}",
        *_why_stopped(found.stopped),
        *_need_words(found),
        f"lead  {'beats it':{width}}  tricks",
    ]
    lines += [f"{card:4}  {beats:{width}}  {tricks}" for card, beats, tricks in rows]
    return "\n".join(lines)
