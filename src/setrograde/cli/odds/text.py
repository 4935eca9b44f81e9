"""How the answers of `setrograde odds` are told, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from setrograde.analysis.odds.chances import format_chance, format_chances, format_percent
from setrograde.analysis.odds.contracts import ContractComparison
from setrograde.analysis.odds.leads import LeadOdds
from setrograde.analysis.odds.plot import format_bars
from setrograde.analysis.odds.result import Average, Mean, Odds
from setrograde.analysis.odds.words import Explanation, explain_odds
from setrograde.bridge import Seat, Strain

__all__ = [
    "comparison_to_dict",
    "format_comparison",
    "format_leads",
    "format_odds",
    "format_reasons",
    "format_table",
    "leads_to_dict",
    "odds_to_dict",
    "table_to_dict",
]

_WHY_STOPPED = {
    "time": "Stopped: the time is up.",
    "within": "Stopped: known closely enough.",
    "interrupted": "Stopped by Ctrl-C.",
}


def _explained(odds: Odds) -> tuple[int, Explanation] | None:
    """The number of tricks that is explained and why; `None` if nothing decides."""
    need = odds.need
    if need is None:
        done = [found for found in odds.settled.values() if found.sets is not None]
        middle = [found for found in done if 0 < found.makes < found.layouts]
        if not middle:
            return None
        need = min(middle, key=lambda found: abs(2 * found.makes - found.layouts)).need
    found = odds.settled.get(need)
    if found is None or found.sets is None:
        return None
    return need, explain_odds(odds, need=need)


def format_odds(odds: Odds, *, ascii: bool = False) -> str:
    """The answer in paragraphs, without its reasons.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              need=2, hidden=Hand.from_text("KJT9..."))
    >>> print(format_odds(found))
    Notrump by South, 6 layouts of the unseen cards
    <BLANKLINE>
    2 or more tricks: 50.00 %, exact (3 of 6 layouts)
    """
    question = odds.question
    trumps = "Notrump" if question.strain is Strain.NOTRUMP else f"{question.strain.symbol} trumps"
    declarer = question.declarer.name.title()
    head = f"{trumps} by {declarer}, {_layouts(odds.layouts)} of the unseen cards"
    if question.played:
        head += f", after {' '.join([card.pretty for card in question.played])}"
    sections = [head]
    if odds.stopped is not None and not odds.exact:
        sections.append(f"{_WHY_STOPPED[odds.stopped]} Not exact:")
    sections.append(_threshold(odds, odds.need) if odds.need is not None else _all(odds, ascii))
    return "\n\n".join(sections)


def format_reasons(odds: Odds) -> str | None:
    """The conditions that decide; `None` if nothing does, or it is not known yet.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              hidden=Hand.from_text("KJT9..."))
    >>> print(format_reasons(found))
    Why 2 tricks:
    What decides it:
      ♠K with East: 0.00 %; ♠K with West: 100.00 %
    Cases:
      50.00 % of layouts: 100.00 % if ♠K with West
      50.00 % of layouts: 0.00 % if ♠K with East
    """
    explained = _explained(odds)
    if explained is None:
        return None
    need, why = explained
    return f"{why}" if odds.need is not None else f"Why {need} tricks:\n{why}"


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


def odds_to_dict(odds: Odds, *, with_words: bool = True) -> dict[str, Any]:
    """The same for programs.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              hidden=Hand.from_text("KJT9..."))
    >>> told = odds_to_dict(found, with_words=False)
    >>> told["layouts"], told["exact"], told["distribution"], told["average"]
    (6, True, {'1': 3, '2': 3}, 1.5)
    """
    question = odds.question
    spread = odds.distribution
    told: dict[str, Any] = {
        "strain": str(question.strain),
        "declarer": str(question.declarer),
        "played": [str(card) for card in question.played],
        "need": odds.need,
        "layouts": odds.layouts,
        "exact": odds.exact,
        "distribution": None if spread is None else {str(n): c for n, c in spread.items()},
        "probability": None if odds.probability is None else float(odds.probability),
        "bounds": None if odds.bounds is None else [float(bound) for bound in odds.bounds],
        "average": None if odds.average is None else float(odds.average),
        "at_least": _at_least(odds),
        "estimate": _estimate(odds),
        "sets": [],
        "factors": [],
        "settled_sets": sum(len(found.sets or ()) for found in odds.settled.values()),
        "solves": odds.solves,
        "seconds": round(odds.seconds, 3),
        "stopped": odds.stopped,
    }
    explained = _explained(odds) if with_words else None
    if explained is not None:
        told |= _words_to_dict(*explained)
    return told


def _at_least(odds: Odds) -> dict[str, list[int]]:
    """Proved counts of layouts, the fewest and the most, by number of tricks."""
    needs = range(1, odds.question.tricks + 1)
    asked = needs if odds.need is None else [odds.need]
    return {str(need): list(odds.counts_at_least(need)) for need in asked}


def _estimate(odds: Odds) -> dict[str, Any] | None:
    sample = odds.sample
    if sample is None:
        return None
    told: dict[str, Any] = {
        "samples": len(sample.tricks),
        "seed": sample.seed,
    }
    if sample.need is None:
        told |= {
            "distribution": {str(n): count for n, count in sample.counts.items()},
            "average": sample.average,
            "standard_error": sample.standard_error,
        }
    estimate = odds.estimate
    if estimate is not None:
        told |= {"probability": estimate.share, "low": estimate.low, "high": estimate.high}
    return told


def _words_to_dict(need: int, why: Explanation) -> dict[str, Any]:
    return {
        "explained": need,
        "sets": [
            {
                "conditions": list(case.conditions),
                "lies": case.count.layouts,
                "makes": case.count.makes,
                "share": case.share_of_layouts,
            }
            for case in (*why.cases, *why.sure)
        ],
        "factors": [
            {
                "condition": factor.condition,
                "otherwise": factor.otherwise,
                "lies": [factor.with_it.layouts, factor.without_it.layouts],
                "makes": [factor.with_it.makes, factor.without_it.makes],
            }
            for factor in why.factors
        ],
    }


# --- several contracts ---


def format_table(table: Mapping[tuple[Seat, Strain], Odds]) -> str:
    """Declarer's average and the chance of each level, a row for each strain and declarer.

    >>> from setrograde.analysis.odds.contracts import odds_table
    >>> from setrograde.analysis.odds.question import OddsQuestion
    >>> from setrograde.bridge import Hand
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> print(format_table(odds_table(question, strains=[Strain.NOTRUMP])))
    exact, over all 6 layouts
              average    1+     2+
    NT by N     2.000  100.0  100.0
    NT by S     1.500  100.0   50.0
    """
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
    lines = [title, f"          average {' '.join(heads)}".rstrip()]
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


def table_to_dict(table: Mapping[tuple[Seat, Strain], Odds]) -> dict[str, Any]:
    """The same for programs: one answer for each strain and declarer."""
    return {"contracts": [odds_to_dict(odds, with_words=False) for odds in table.values()]}


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
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> contracts = [Contract.from_text("1NTS"), Contract.PASSED_OUT]
    >>> print(format_comparison(compare_contracts(question, contracts)))
    exact, over all 6 layouts
    1NTS   makes 0.0 %   points -275.0
           against Pass: IMPs -6.50, matchpoints 0.0 %
    Pass   makes 0.0 %   points 0.0
           against 1NTS: IMPs 6.50, matchpoints 100.0 %
    best at IMPs: Pass; at matchpoints: Pass; in points: Pass
    """
    how = "exact, over all" if found.exact else "estimated, the same for all, from"
    seed = "" if found.exact else f" (seed {found.seed}); ± standard error"
    lines = [f"{how} {_layouts(found.layouts)}{seed}"]
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


def _average_to_dict(value: Average) -> dict[str, float | None]:
    error = value.standard_error if isinstance(value, Mean) else None
    return {"value": float(value), "stderr": error}


def comparison_to_dict(found: ContractComparison) -> dict[str, Any]:
    """The same for programs."""
    return {
        "exact": found.exact,
        "samples": found.layouts,
        "seed": found.seed,
        "contracts": [
            {
                "contract": str(value.contract),
                "makes": _average_to_dict(value.makes),
                "points": _average_to_dict(value.points),
                "imps": [_average_to_dict(each) for each in value.imps],
                "matchpoints": [_average_to_dict(each) for each in value.matchpoints],
            }
            for value in found.values
        ],
        "best": {
            "imps": str(found.best("imps").contract),
            "matchpoints": str(found.best("matchpoints").contract),
            "points": str(found.best("points").contract),
        },
    }


def format_leads(found: LeadOdds) -> str:
    """A row for each lead, the best first.

    >>> from setrograde.analysis.odds.leads import lead_odds
    >>> from setrograde.bridge import Contract, Hand
    >>> print(format_leads(lead_odds(Hand.from_text("KJ.2.."), Contract.from_text("1NTS"),
    ...     dummy=Hand.from_text("AQ.A.."), hidden=Hand.from_text("T98.543.."))))
    Leads against 1NTS: exact, over all 20 layouts
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
    lines = [f"Leads against {found.contract}: {how}", f"lead  {'beats it':{width}}  tricks"]
    lines += [f"{card:4}  {beats:{width}}  {tricks}" for card, beats, tricks in rows]
    return "\n".join(lines)


def leads_to_dict(found: LeadOdds) -> dict[str, Any]:
    """The same for programs."""
    acceptance = found.acceptance
    return {
        "contract": str(found.contract),
        "exact": found.exact,
        "samples": found.layouts,
        "seed": found.seed,
        "acceptance": None if acceptance is None else float(acceptance),
        "leads": [
            {
                "card": str(lead.card),
                "tricks": _average_to_dict(lead.tricks),
                "beats": _average_to_dict(lead.beats),
            }
            for lead in found.leads
        ],
    }
