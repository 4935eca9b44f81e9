"""Finesses in notebooks, as HTML fragments."""

from __future__ import annotations

from html import escape

from setrograde.bridge.display.html import box_html

from .finesses import Finesse

__all__ = ["finesse_html"]


def finesse_html(finesse: Finesse) -> str:
    """Preconditions, the strategy tree as a picture, and what comes of it.

    >>> from setrograde.analysis.finesse import applicable_finesses
    >>> from setrograde.analysis.suit import card_classes
    >>> classes = card_classes("32", "AQ", outstanding="K654")
    >>> "<svg " in finesse_html(applicable_finesses(classes)[0])
    True
    """
    conditions = ", ".join([str(condition) for condition in finesse.preconditions])
    return box_html(
        f"<div><b>{escape(finesse.kind)} finesse</b>, {finesse.leader} leads</div>"
        f"<div>{escape(conditions)}</div><div>{finesse.tree.to_svg()}</div>"
        f"<div>C with {finesse.onside}: {escape(finesse.if_onside)}</div>"
        f"<div>otherwise: {escape(finesse.if_offside)}</div>"
    )
