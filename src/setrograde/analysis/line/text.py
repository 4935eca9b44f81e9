"""Answers about lines as text for a terminal, and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from setrograde.analysis.odds.chances import format_chance, format_chances
from setrograde.bridge import Strain

if TYPE_CHECKING:
    from .result import PlayLine

__all__ = ["format_line", "line_to_dict"]


def format_line(found: PlayLine) -> str:
    """The question, the chance, double dummy beside it, and the line."""
    parts = [_question(found), _chance(found), _double_dummy(found)]
    if len(found.candidates) > 1:
        parts.append(_cards(found))
    text = "\n".join(parts)
    return text if found.line is None else f"{text}\n\n{found.line}"


def _question(found: PlayLine) -> str:
    asked, state = found.question, found.question.state
    strain = asked.odds.strain
    is_notrump = strain is Strain.NOTRUMP
    trumps = "in notrump" if is_notrump else f"with {strain.name.lower()} as trumps"
    does = "to play" if state.trick else "to lead"
    return (
        f"{asked.need} of {asked.odds.tricks} tricks {trumps}, {state.turn.name.title()} {does};"
        f" {found.layouts:,} layouts of the unseen cards"
    )


def _chance(found: PlayLine) -> str:
    if found.exact:
        layouts = found.bounds[0] * found.layouts
        count = f" ({layouts} of {found.layouts:,} layouts)" if layouts.denominator == 1 else ""
        return f"Chance of the best line: {format_chance(found.bounds[0])}, exact{count}"
    over = f"in {found.searched:,} layouts drawn at random" if found.sampled else "in all layouts"
    return (
        f"Chance of the best line: {format_chances(*found.bounds, places=1)} {over}; not exact,"
        f" since {'the layouts are a sample' if found.sampled else 'the search was cut short'}"
    )


def _double_dummy(found: PlayLine) -> str:
    return f"If everyone saw all cards: {format_chance(found.double_dummy)}"


def _cards(found: PlayLine) -> str:
    shown = [
        f"{one.card.pretty} {'' if one.exact else 'at most '}{format_chance(one.probability)}"
        for one in found.candidates[:6]
    ]
    rest = len(found.candidates) - len(shown)
    more = f", {rest} more" if rest else ""
    return f"First card: {', '.join(shown)}{more}"


def line_to_dict(found: PlayLine) -> dict[str, Any]:
    """As JSON: `probability`, `bounds`, `exact`, `layouts`, `line` and what else is known."""

    def number(value: Fraction | None) -> float | None:
        return None if value is None else float(value)

    return {
        "probability": number(found.probability),
        "bounds": [float(bound) for bound in found.bounds],
        "exact": found.exact,
        "layouts": found.layouts,
        "searched": found.searched,
        "double_dummy": float(found.double_dummy),
        "need": found.question.need,
        "card": None if found.card is None else str(found.card),
        "candidates": [
            {
                "card": str(one.card),
                "probability": float(one.probability),
                "double_dummy": float(one.double_dummy),
                "exact": one.exact,
            }
            for one in found.candidates
        ],
        "line": None if found.line is None else found.line.to_dict(),
        "depth": found.depth,
        "seed": found.seed,
        "seconds": round(found.seconds, 3),
    }
