"""The distribution of tricks as bars of text, as an SVG picture, and for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from .chances import KIND_WORDS, format_percent
from .result import Odds

__all__ = ["format_bars", "odds_html", "odds_svg", "text_html"]

_BLUE, _PALE, _INK = "#3b6ea8", "#b9c9dd", "#222"


def _shares(odds: Odds) -> tuple[dict[int, float], bool]:
    """The share of each number of tricks, and whether that is exact or estimated."""
    if odds.need is not None:
        return _shares_of_need(odds, odds.need)
    spread: Mapping[int, int] | None = odds.distribution
    exact = spread is not None
    if spread is None:
        spread = {} if odds.sample is None else odds.sample.counts
    total = sum(spread.values())
    if not total:
        return {}, exact
    tricks = range(min(spread), max(spread) + 1)
    return {n: spread.get(n, 0) / total for n in tricks}, exact


def _shares_of_need(odds: Odds, need: int) -> tuple[dict[int, float], bool]:
    """The shares of too few tricks, shown as one less than are needed, and of enough."""
    if odds.probability is not None:
        share = float(odds.probability)
    elif odds.estimate is not None:
        share = odds.estimate.share
    else:
        return {}, False
    return {need - 1: 1 - share, need: share}, odds.exact


def _label(odds: Odds, tricks: int) -> str:
    """The number of tricks below a bar; where one number was asked for, of all beyond it."""
    if odds.need is None:
        return str(tricks)
    return f"{tricks}+" if tricks >= odds.need else f"≤ {tricks}"


def format_bars(odds: Odds, *, width: int = 40, ascii: bool = False) -> str:
    """One line for each number of tricks, with its chance and a bar.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...", west="spades 1+")
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
    """The distribution as a picture. Bars of tricks that are enough are dark.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> odds_svg(found).count("<rect")
    2
    """
    shares, exact = _shares(odds)
    step, high, top = 44, 160, 62
    width = max(260, 30 + step * len(shares))
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
        parts.append(_text(middle, top + high + 18, _label(odds, tricks), size=14))
    words = title or "Declarer's tricks"
    kind = "%, exact" if exact else "%, estimated from a sample"
    parts.append(_text(width // 2, 20, f"{words} ({kind})", size=13))
    parts.append(_text(width // 2, 38, KIND_WORDS, size=11))
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


def text_html(text: str) -> str:
    """Text whose columns line up, as HTML for a notebook.

    >>> text_html("1 < 2")
    '<pre>1 &lt; 2</pre>'
    """
    return f"<pre>{escape(text)}</pre>"


def odds_html(odds: Odds) -> str:
    """An answer for a notebook: the picture of a distribution that is known, otherwise the text.

    >>> from setrograde.analysis.odds.exact import odds
    >>> odds_html(odds("AQ...", "32...", "NT", "S", hidden="KJT9...")).count("<rect")
    2
    """
    from .text import format_head, format_odds

    shares, _ = _shares(odds)
    if odds.need is not None or not shares:
        return text_html(format_odds(odds))
    return f"<p>{escape(format_head(odds))}</p>{odds_svg(odds)}"
