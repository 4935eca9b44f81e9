"""The distribution of tricks as bars: of text, and as an SVG picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from .chances import format_percent
from .result import Odds

__all__ = ["format_bars", "odds_svg"]

_BLUE, _PALE, _INK = "#3b6ea8", "#b9c9dd", "#222"


def _shares(odds: Odds) -> tuple[dict[int, float], bool]:
    """The share of each number of tricks, and whether that is exact or estimated."""
    spread: Mapping[int, int] | None = odds.distribution
    exact = spread is not None
    if spread is None:
        spread = {} if odds.sample is None or odds.sample.need is not None else odds.sample.counts
    total = sum(spread.values())
    if not total:
        return {}, exact
    tricks = range(min(spread), max(spread) + 1)
    return {n: spread.get(n, 0) / total for n in tricks}, exact


def format_bars(odds: Odds, *, width: int = 40, ascii: bool = False) -> str:
    """One line for each number of tricks: its chance, and a bar.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              hidden=Hand.from_text("KJT9..."), west="spades 1+")
    >>> print(format_bars(found, width=8))
     1   50.00 %  ████████
     2   50.00 %  ████████
    """
    shares, _ = _shares(odds)
    longest = max(shares.values(), default=1.0)
    mark = "#" if ascii else "█"
    return "\n".join(
        f"{tricks:2} {format_percent(share):>7} %  {mark * round(width * share / longest)}".rstrip()
        for tricks, share in shares.items()
    )


def odds_svg(odds: Odds, *, title: str = "") -> str:
    """The same as a picture; bars that make the contract are dark, estimates say so.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              hidden=Hand.from_text("KJT9..."))
    >>> odds_svg(found).count("<rect")
    2
    """
    shares, exact = _shares(odds)
    step, high, top = 44, 160, 44
    width = max(220, 30 + step * len(shares))
    longest = max(shares.values(), default=1.0)
    parts = []
    for place, (tricks, share) in enumerate(shares.items()):
        x, height = 20 + step * place, high * share / longest
        made = odds.need is None or tricks >= odds.need
        parts.append(
            f'<rect x="{x}" y="{top + high - height:.1f}" width="{step - 10}"'
            f' height="{height:.1f}" fill="{_BLUE if made else _PALE}" rx="2"/>'
        )
        middle = x + (step - 10) // 2
        parts.append(
            _text(middle, top + high - height - 5, format_percent(share, places=1), size=11)
        )
        parts.append(_text(middle, top + high + 18, str(tricks), size=14))
    words = title or "Declarer's tricks"
    kind = "%, exact" if exact else "%, estimated from a sample"
    parts.append(_text(width // 2, 20, f"{words} ({kind})", size=13))
    total = top + high + 30
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}"'
        f' height="{total}" role="img" font-family="sans-serif"><title>{escape(words)}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, words: str, *, size: int) -> str:
    return (
        f'<text x="{x:g}" y="{y:.1f}" font-size="{size}" fill="{_INK}"'
        f' text-anchor="middle">{escape(words)}</text>'
    )
