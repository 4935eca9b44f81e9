"""Results and par written into a PBN document."""

from __future__ import annotations

import pytest

from setrograde.analysis.par import par
from setrograde.bridge import InvalidInput, TrickTable
from setrograde.formats import PbnDocument, add_results, format_trick_digits, parse_trick_digits
from setrograde.formats.pbn import document as pbn_document
from setrograde.formats.pbn import parse_pbn

TABLE = TrickTable.from_function(lambda seat, strain: 5 + (seat + 2 * strain) % 5)
TWO = PbnDocument.from_bytes(
    b'% PBN 2.1\r\n[Board "1"] ; first\r\n[Room "Open"]\r\n\r\n'
    b'[Board "2"]\r\n[OptimumScore "?"]\r\n[OptimumResultTable "Declarer"]\r\nN {none}\r\n'
)


def test_results_go_where_they_belong_and_nothing_else_changes() -> None:
    solved = add_results(TWO, [TABLE, None], [par(TABLE, "N", "none"), None])
    assert solved.games[1] == TWO.games[1]
    assert solved.prefix == TWO.prefix
    game = solved.games[0]
    assert list(game.tags) == [
        "Board",
        "DoubleDummyTricks",
        "OptimumScore",
        "ParContract",
        "Room",
        "OptimumResultTable",
    ]
    for name in set(game.tags) - {"Board", "Room"}:
        game = game.without_tag(name)
    assert game == TWO.games[0]
    assert parse_pbn(solved.to_bytes())[0].table == TABLE


def test_places_can_be_named_and_old_results_are_replaced() -> None:
    solved = add_results(TWO, {1: TABLE})
    assert solved.games[0] == TWO.games[0]
    assert solved.games[1].get("OptimumScore") == "?"  # no par was given
    rows = solved.games[1].section("OptimumResultTable")
    assert rows is not None
    assert len(rows) == 20
    assert "{none}" in solved.to_text()
    assert add_results(solved, {1: TABLE}) == solved


def test_a_place_outside_the_document_is_an_error() -> None:
    with pytest.raises(InvalidInput, match=r"no game in place 2 \(expected 0 to 1, as the doc"):
        add_results(TWO, {2: TABLE})


def test_nothing_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbn_document.lexer, "scan", None)
    assert add_results(TWO, [TABLE, TABLE]).games[1].get("DoubleDummyTricks") is not None


def test_digits_read_back_what_they_write() -> None:
    assert parse_trick_digits(format_trick_digits(TABLE)) == TABLE
    with pytest.raises(InvalidInput, match=r"not a table: '7e' \(expected 20 hexadecimal digits"):
        parse_trick_digits("7e")
