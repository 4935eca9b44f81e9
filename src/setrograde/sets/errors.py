"""What can be wrong with boards, sets of them, and their files."""

from __future__ import annotations

from setrograde.errors import InvalidInput

__all__ = ["DamagedFile", "InvalidPlacement", "InvalidSet", "OutOfRoom"]


class InvalidSet(InvalidInput):
    """A set, an alphabet or a move that makes no sense; base of the errors of this package.

    >>> from setrograde.sets import BoardSpace
    >>> BoardSpace([])
    Traceback (most recent call last):
    ...
    setrograde.sets.errors.InvalidSet: not a board: 0 places (expected 1 to 256)
    """


class InvalidPlacement(InvalidSet):
    """Text that does not place one letter of the alphabet on each place of the space.

    >>> from setrograde.sets import BoardSpace
    >>> BoardSpace([".x"] * 3).of([".xz"])
    Traceback (most recent call last):
    ...
    setrograde.sets.errors.InvalidPlacement: not a board: '.xz' (place 2 has 'z'; expected one of \
'.x')
    """


class DamagedFile(InvalidSet):
    """Bytes that are not a file of board sets, or no longer a whole one.

    >>> from setrograde.sets import parse_sets
    >>> parse_sets(b"SGBOARDS")
    Traceback (most recent call last):
    ...
    setrograde.sets.errors.DamagedFile: not a file of board sets: 8 bytes (expected 24 or more)
    """


class OutOfRoom(MemoryError):
    """The sets did not fit in the memory limit of their space.

    >>> from setrograde.sets import BoardSpace
    >>> str(OutOfRoom(BoardSpace([".xo"] * 4, limit_mb=1)))
    'the sets did not fit in 1 MB (give more with limit_mb)'
    """

    def __init__(self, space: object) -> None:
        limit_mb = getattr(space, "limit_mb", "?")
        super().__init__(f"the sets did not fit in {limit_mb} MB (give more with limit_mb)")
