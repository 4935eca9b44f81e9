"""The answers of `setrograde odds` as JSON shows them; the keys do not change."""

from __future__ import annotations

from typing import Any

from setrograde.analysis.odds import (
    Average,
    ContractComparison,
    Explanation,
    LeadOdds,
    Mean,
    Odds,
    OddsTable,
    explain_middle,
)
from setrograde.analysis.odds.chances import KIND

__all__ = ["comparison_to_dict", "leads_to_dict", "odds_to_dict", "table_to_dict"]


def odds_to_dict(odds: Odds, *, with_words: bool = True) -> dict[str, Any]:
    """One answer, with its reasons unless `with_words` is false.

    >>> from setrograde.analysis.odds import odds
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> told = odds_to_dict(found, with_words=False)
    >>> told["layouts"], told["exact"], told["distribution"], told["average"]
    (6, True, {'1': 3, '2': 3}, 1.5)
    """
    question = odds.question
    spread = odds.distribution
    told: dict[str, Any] = {
        "kind": KIND,
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
        "guesses": [
            {"card": str(guess.card), "tried": guess.tried, "decides": guess.decides}
            for guess in odds.guesses
        ],
        "sets": [],
        "factors": [],
        "settled_sets": sum(len(found.sets or ()) for found in odds.settled.values()),
        "solves": odds.solves,
        "seconds": round(odds.seconds, 3),
        "stopped": odds.stopped,
    }
    explained = explain_middle(odds) if with_words else None
    if explained is not None:
        told |= _words_to_dict(*explained)
    return told


def _at_least(odds: Odds) -> dict[str, list[int]]:
    """By number of tricks: the least and the greatest number of layouts that give it, as proved."""
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


def table_to_dict(table: OddsTable) -> dict[str, Any]:
    """One answer for each strain and declarer."""
    return {
        "kind": KIND,
        "contracts": [odds_to_dict(odds, with_words=False) for odds in table.values()],
        "stopped": table.stopped,
    }


def _average_to_dict(value: Average) -> dict[str, float | None]:
    error = value.standard_error if isinstance(value, Mean) else None
    return {"value": float(value), "stderr": error}


def comparison_to_dict(found: ContractComparison) -> dict[str, Any]:
    """Every contract with its figures, and the best at each form of scoring."""
    return {
        "kind": KIND,
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
        "stopped": found.stopped,
    }


def leads_to_dict(found: LeadOdds) -> dict[str, Any]:
    """Every lead, best first."""
    acceptance = found.acceptance
    return {
        "kind": KIND,
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
        "need": found.need,
        "stopped": found.stopped,
    }
