"""Double-dummy results and par as PBN tags, and their way into a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from setrograde.bridge import InvalidInput, TrickTable
from setrograde.formats.trick_digits import DECLARERS, STRAINS, format_trick_digits

from .document import PbnDocument

__all__ = ["RESULT_COLUMNS", "ParText", "add_results", "result_rows", "result_tags"]

T = TypeVar("T")

RESULT_COLUMNS = "Declarer;Denomination\\2R;Result\\2R"
"""The value of the tag `OptimumResultTable`, whose rows `result_rows` gives."""


class ParText(Protocol):
    """Par as the tags have it: a `setrograde.analysis.par.Par`, or a value with these two texts."""

    @property
    def score_text(self) -> str:
        """The value of `OptimumScore`, like `NS -110`."""

    @property
    def contract_text(self) -> str:
        """The value of `ParContract`, like `EW 2S`."""


def add_results(
    document: PbnDocument,
    tables: Mapping[int, TrickTable] | Sequence[TrickTable | None],
    pars: Mapping[int, ParText] | Sequence[ParText | None] = (),
) -> PbnDocument:
    r"""Write double-dummy tables, and par, into the games of a document.

    Tables and pars are given by place, counted from 0: one for each game, with `None` where there
    is nothing to write, or a mapping that names some places. Each table becomes the tags
    `DoubleDummyTricks` and `OptimumResultTable`, each par `OptimumScore` and `ParContract`. Tags
    that are there already get the new value, and nothing else in the document changes.

    >>> from setrograde.analysis.par import par
    >>> document = PbnDocument.from_bytes(b'[Board "1"]\n[Room "Open"]\n')
    >>> table = TrickTable.from_function(lambda seat, strain: 7)
    >>> solved = add_results(document, [table], [par(table, "N", "none")])
    >>> print(solved.to_text().partition("[OptimumResultTable")[0], end="")
    [Board "1"]
    [DoubleDummyTricks "77777777777777777777"]
    [OptimumScore "NS 90"]
    [ParContract "NS 1NT"]
    [Room "Open"]
    """
    table_at, par_at = _by_place(tables, document), _by_place(pars, document)
    games = list(document.games)
    for place, table in table_at.items():
        game = games[place]
        for name, value in result_tags(table, par_at.get(place)).items():
            game = game.with_tag(name, value)
        games[place] = game.with_section("OptimumResultTable", RESULT_COLUMNS, result_rows(table))
    return replace(document, games=tuple(games))


def result_tags(table: TrickTable, par: ParText | None = None) -> dict[str, str]:
    """The tags of a table, and of par if it is known, that stand on one line each.

    >>> result_tags(TrickTable.from_function(lambda seat, strain: 7 + seat % 2))
    {'DoubleDummyTricks': '77777777778888888888'}
    """
    tags = {"DoubleDummyTricks": format_trick_digits(table)}
    if par is not None:
        tags |= {"OptimumScore": par.score_text, "ParContract": par.contract_text}
    return tags


def result_rows(table: TrickTable) -> list[str]:
    """The 20 lines of an `OptimumResultTable`.

    >>> result_rows(TrickTable.from_function(lambda seat, strain: 10 - strain))[:2]
    ['N NT  6', 'N  S  7']
    """
    return [
        f"{seat.letter} {strain!s:>2} {table.tricks(seat, strain):2}"
        for seat in DECLARERS
        for strain in STRAINS
    ]


def _by_place(values: Mapping[int, T] | Sequence[T | None], document: PbnDocument) -> dict[int, T]:
    """What there is to write, by place in the document."""
    pairs = values.items() if isinstance(values, Mapping) else enumerate(values)
    found = {place: value for place, value in pairs if value is not None}
    for place in found:
        if not 0 <= place < len(document):
            raise InvalidInput(
                f"no game in place {place} (expected 0 to {len(document) - 1},"
                f" as the document has {len(document)} games)"
            )
    return found
