"""Laws of JSON boards: exact round trips, valid by their own schema, no input that raises."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import boards
from setrograde.bridge import Board, Card, Deal, Hand, Seat
from setrograde.formats.boards_json import (
    BOARD_SCHEMA,
    FILE_SCHEMA,
    board_from_dict,
    board_to_dict,
    format_json,
    parse_json,
)

_KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def is_valid(value: Any, schema: dict[str, Any]) -> bool:
    """As much of JSON Schema as the schemas of boards use."""
    if "anyOf" in schema:
        return any(is_valid(value, option) for option in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if not isinstance(value, _KINDS[schema["type"]]):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, int):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, list):
        return all(is_valid(item, schema["items"]) for item in value)
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema["additionalProperties"]
        return set(schema.get("required", [])) <= set(value) and all(
            is_valid(item, known[key]) if key in known else other and is_valid(item, other)
            for key, item in value.items()
        )
    return True


@given(boards())
def test_every_board_comes_back_exactly(board: Board) -> None:
    assert board_from_dict(board_to_dict(board)) == board


@given(st.lists(st.sampled_from(Seat), max_size=52), st.integers(0, 2**32 - 1))
def test_deals_with_hands_of_any_length_come_back_exactly(holders: list[Seat], seed: int) -> None:
    cards = list(zip(holders, Random(seed).sample(Card.ALL, len(holders)), strict=True))
    n, e, s, w = (Hand.from_cards(card for at, card in cards if at == seat) for seat in Seat)
    board = Board(deal=Deal((n, e, s, w)))
    assert board_from_dict(board_to_dict(board)) == board


@given(st.lists(boards(), max_size=3), st.none() | st.integers(0, 4))
def test_files_come_back_exactly(items: list[Board], indent: int | None) -> None:
    text = format_json(items, indent=indent)
    assert list(parse_json(text, strict=True)) == items
    assert list(parse_json(text.encode(), strict=True)) == items


@given(st.lists(boards(), max_size=2))
def test_what_is_written_obeys_the_schema(items: list[Board]) -> None:
    assert is_valid(json.loads(format_json(items)), FILE_SCHEMA)
    assert all(is_valid(board_to_dict(board), BOARD_SCHEMA) for board in items)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.binary()
    | st.text()
    | st.lists(
        st.dictionaries(st.sampled_from(sorted(BOARD_SCHEMA["properties"])), _VALUES) | _VALUES
    ).map(lambda items: json.dumps({"schema": 1, "boards": items}, indent=1))
)
def test_lenient_reading_never_raises(data: bytes | str) -> None:
    check_reader(parse_json, data)


@given(boards(), st.data())
def test_damaged_boards_are_problems_not_errors(board: Board, data: st.DataObject) -> None:
    damaged = board_to_dict(board)
    for key in list(damaged):
        if isinstance(damaged[key], dict) and damaged[key]:
            inner = data.draw(st.sampled_from(sorted(damaged[key])))
            damaged[key] = {**damaged[key], inner: data.draw(_VALUES)}
    check_reader(parse_json, json.dumps({"schema": 1, "boards": [damaged]}))
