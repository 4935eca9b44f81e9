"""Dealer scripts of our own, and random expressions, for several tests."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from setrograde.formats.dealer.expressions import BINDING
from setrograde.formats.dealer.words import COUNTS

FOLDER = Path(__file__).parent / "data" / "dealer"
SCRIPTS = sorted(FOLDER.glob("*.dl"))

_OPERATORS = sorted({*sum(BINDING, ()), "and", "or"} - {"/", "%"})
_SEATS = st.sampled_from(["north", "east", "south", "west"])
_SUITS = st.sampled_from(["spades", "hearts", "diamonds", "clubs"])
_COUNTS = st.sampled_from(sorted(set(COUNTS) - {"cccc", "quality"}))
_SHAPES = st.lists(
    st.sampled_from(["any 4333", "any 4432", "54xx", "xx5x", "- any 0xxx", "- 5xxx", "+ any 5xxx"]),
    min_size=1,
    max_size=4,
).map(lambda items: " + ".join(items).replace("+ -", "-").replace("+ +", "+"))
_CARDS = st.builds("{}{}".format, st.sampled_from("AKQJT98765432"), st.sampled_from("SHDC"))


def leaves(seats: st.SearchStrategy[str] = _SEATS) -> st.SearchStrategy[str]:
    """Functions of a hand."""
    return st.one_of(
        st.builds("{}({})".format, _SUITS, seats),
        st.builds("{}({})".format, _COUNTS, seats),
        st.builds("{}({}, {})".format, _COUNTS, seats, _SUITS),
        st.builds("quality({}, {})".format, seats, _SUITS),
        st.builds("cccc({})".format, seats),
        st.builds("shape({}, {})".format, seats, _SHAPES),
        st.builds("hascard({}, {})".format, seats, _CARDS),
    )


def expressions(seats: st.SearchStrategy[str] = _SEATS) -> st.SearchStrategy[str]:
    """Expressions in full brackets, without double-dummy results."""
    numbers = st.integers(0, 30).map(str)
    return st.recursive(
        leaves(seats) | numbers,
        lambda inner: st.one_of(
            st.builds(
                "({} {} {})".format,
                inner,
                st.sampled_from(_OPERATORS),
                inner,
            ),
            st.builds("({} {} {})".format, inner, st.sampled_from("/%"), st.integers(1, 5)),
            st.builds("(!{})".format, inner),
            st.builds("(-{})".format, inner),
            st.builds("({} ? {} : {})".format, inner, inner, inner),
            st.builds("imps({})".format, inner),
        ),
        max_leaves=8,
    )
