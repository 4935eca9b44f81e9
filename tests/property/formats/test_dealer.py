"""Laws of the dealer language."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dealer_scripts import expressions
from setrograde.formats.dealer import (
    format_dealer,
    format_expression,
    parse_dealer,
    parse_expression,
)
from setrograde.formats.problems import FormatError


@given(expressions())
def test_expressions_are_the_same_after_writing_and_reading(text: str) -> None:
    expression = parse_expression(text)
    short = format_expression(expression)
    assert parse_expression(short) == expression
    assert short.count("(") <= text.count("(")


@given(st.text(max_size=60) | st.text('hcp(north)>=15&|!, shape4x#/*"\n', max_size=60))
def test_any_text_is_a_script_or_a_mistake_with_a_place(text: str) -> None:
    try:
        script = parse_dealer(text)
    except FormatError as error:
        message = str(error)
    else:
        message = "<text>:0:0: fine"
        assert parse_dealer(format_dealer(script)) == script
    assert re.match(r"<text>:\d+:\d+: ", message)
