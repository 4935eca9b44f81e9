"""Counts of one suit's holding, as tables over its 8192 possible holdings.

A holding is 13 bits, the two lowest; every count of a hand is a sum over its four suits, so that a
million hands are counted by four look-ups each. Quality and cccc are Kaplan and Rubens's count
("The Bridge World", October 1982) in hundredths, as the dealer program counts them.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = [
    "ALTERNATE_COUNTS",
    "CONTROLS",
    "HCP",
    "HOLDINGS",
    "full_points",
    "length_table",
    "loser_table",
    "points_table",
    "quality_table",
    "suit_cccc_table",
]

HOLDINGS = 1 << 13
"""The number of holdings of one suit."""

HCP = (4, 3, 2, 1)
"""High card points of ace, king, queen and jack."""

CONTROLS = (2, 1)
"""Controls of ace and king."""

ALTERNATE_COUNTS = (
    (0, 0, 0, 0, 1),
    (0, 0, 0, 1),
    (0, 0, 1),
    (0, 1),
    (1,),
    (1, 1),
    (1, 1, 1),
    (1, 1, 1, 1),
    (1, 1, 1, 1, 1),
    (6, 4, 2, 1),
)
"""What `pt0` to `pt9` count unless a script says otherwise: ace first, missing cards count 0."""

Table = npt.NDArray[np.int64]


def full_points(points: tuple[int, ...]) -> tuple[int, ...]:
    """Points of all 13 ranks, the ace first.

    >>> full_points((4, 3, 2, 1))
    (4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    """
    return points + (0,) * (13 - len(points))


def _bit(place: int) -> Table:
    """1 for each holding with the card at `place`, counted from the ace at 0; else 0."""
    return (np.arange(HOLDINGS, dtype=np.int64) >> (12 - place)) & 1


@cache
def points_table(points: tuple[int, ...]) -> Table:
    """The points of each holding; `points` are those of ace, king and so on.

    >>> int(points_table(HCP)[0b1100000000000])
    7
    """
    table = np.zeros(HOLDINGS, np.int64)
    for place, worth in enumerate(points):
        table += worth * _bit(place)
    return _fixed(table)


@cache
def length_table() -> Table:
    """The number of cards of each holding.

    >>> int(length_table()[0b1100000000001])
    3
    """
    return _fixed(sum((_bit(place) for place in range(13)), np.zeros(HOLDINGS, np.int64)))


@cache
def loser_table() -> Table:
    """Losers: of the first three cards, those that are not ace, king or queen in their places.

    A void has none, a singleton one unless it is the ace, a doubleton two less one for the ace
    and one for the king, and a longer suit three less one for each of ace, king and queen.

    >>> int(loser_table()[0b1000000000001]), int(loser_table()[0b0010000000001])
    (1, 2)
    """
    length, (ace, king, queen) = length_table(), [_bit(place) for place in range(3)]
    table = np.select(
        [length == 0, length == 1, length == 2],
        [np.zeros_like(length), 1 - ace, 2 - ace - king],
        3 - ace - king - queen,
    )
    return _fixed(table)


@cache
def quality_table() -> Table:
    """Suit quality in hundredths: honours, and small cards that support them, times the length.

    >>> int(quality_table()[0b1110100000000])
    400
    """
    length = length_table()
    ace, king, queen, jack, ten, nine, eight = [_bit(place) for place in range(7)]
    higher = ace + king + queen + jack
    honours = 8 * ace + 6 * king + 4 * queen + 2 * jack  # in halves of a point
    tens = np.where((higher > 1) | (jack == 1), 2, 1) * ten
    nines = ((higher == 2) | (ten == 1) | (eight == 1)) * nine
    # A suit of seven or more has length instead: it will draw the queen and the jack.
    long = 2 * np.minimum(3 - 2 * queen - jack, length - 6)
    return _fixed((honours + np.where(length > 6, long, tens + nines)) * 5 * length)


@cache
def suit_cccc_table() -> Table:
    """One suit's part of `cccc` in hundredths, without the points for shape.

    >>> int(suit_cccc_table()[0b1000000000000])
    340
    """
    length = length_table()
    ace, king, queen, jack, ten, nine = [_bit(place) for place in range(6)]
    table = quality_table() + 300 * ace
    table = table + king * np.where(length == 1, 50, 200)
    short = np.select([length == 1, length == 2], [75, 25], 0)
    table = table + queen * (100 - short - 25 * (ace + king == 0))
    above_jack = ace + king + queen
    table = table + jack * np.select([above_jack == 2, above_jack == 1], [50, 25], 0)
    above_ten = above_jack + jack
    supported = (above_ten == 2) | ((above_ten == 1) & (nine == 1))
    return _fixed(table + 25 * ten * supported)


def _fixed(table: Table) -> Table:
    """The table, which nobody can change from now on."""
    table = np.ascontiguousarray(table, np.int64)
    table.flags.writeable = False
    return table
