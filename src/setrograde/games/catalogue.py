"""All games by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from .amazons import Amazons
from .board_game import BoardGame
from .breakthrough import Breakthrough
from .chess_endings import ChessEnding
from .errors import InvalidGame
from .in_a_row import Connect4, TicTacToe
from .nim import Nim

__all__ = ["CATALOGUE", "CatalogueEntry", "find_games", "installed_games", "make_game"]

_GROUP = "setrograde.games"  # of entry points


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game and the sizes it comes in.

    >>> CATALOGUE["nim"].example
    '3,4,5'
    """

    make: Callable[..., BoardGame]
    """Makes the game from a size, given as text, and `limit_mb`."""

    about: str
    """What the game is, in a few words."""

    sizes: str
    """The sizes there are, in a few words."""

    example: str
    """One of them."""

    @classmethod
    def of(cls, game: type[BoardGame]) -> CatalogueEntry:
        """The entry of a class with `from_size`, described by the first line of its docstring.

        >>> CatalogueEntry.of(Nim).about
        'Nim with heaps of up to 35 stones; a place is a heap, and its letter the stones left'
        """
        lines = (game.__doc__ or "").strip().splitlines()
        about = lines[0].rstrip(".") if lines else game.name
        return cls(game.from_size, about, game.sizes, game.example_size)


CATALOGUE = {
    "nim": CatalogueEntry(
        Nim.from_size, "take from one heap; the last one wins", "heaps up to 35", "3,4,5"
    ),
    "tic-tac-toe": CatalogueEntry(
        TicTacToe.from_size, "three in a row", "3x3; 4x4 with lines of four", "3x3"
    ),
    "breakthrough": CatalogueEntry(
        Breakthrough.from_size, "run a pawn to the far side", "2x4 to 36 squares", "4x5"
    ),
    "connect4": CatalogueEntry(
        Connect4.from_size, "four in a row with falling stones", "4x4 to 42 squares", "4x4"
    ),
    "amazons": CatalogueEntry(
        Amazons.from_size, "queens that shoot arrows", "4x4 to 30 squares", "4x4"
    ),
    "chess": CatalogueEntry(
        ChessEnding.from_size, "queen, rook or pawn against king", "KQK, KRK, KPK", "KQK"
    ),
}
"""By the names of the command line."""


def installed_games(*, problems: list[str] | None = None) -> dict[str, CatalogueEntry]:
    """Games of other packages: entry points of the group `setrograde.games`, by their names.

    An entry point names a class with `from_size`, or a `CatalogueEntry`. Those that cannot be
    loaded are left out, and `problems` says why.

    >>> installed_games()
    {}
    """
    found = {}
    for point in entry_points(group=_GROUP):
        try:
            found[point.name] = _load(point)
        except InvalidGame as error:
            if problems is not None:
                problems.append(str(error))
    return found


def _load(point: EntryPoint) -> CatalogueEntry:
    try:
        loaded = point.load()
    except Exception as error:  # whatever the module of another package does
        raise InvalidGame(
            f"the game {point.name!r} of {point.value} cannot be loaded: {type(error).__name__}:"
            f" {error}"
        ) from error
    if isinstance(loaded, CatalogueEntry):
        return loaded
    if isinstance(loaded, type) and issubclass(loaded, BoardGame):
        return CatalogueEntry.of(loaded)
    raise InvalidGame(
        f"the game {point.name!r} of {point.value} is no game (expected a class of BoardGame, or a"
        " CatalogueEntry)"
    )


def find_games(
    more: Mapping[str, CatalogueEntry] | None = None, *, problems: list[str] | None = None
) -> dict[str, CatalogueEntry]:
    """All games by name: those of this package, installed ones, and `more`.

    >>> list(find_games())[:2]
    ['nim', 'tic-tac-toe']
    """
    return {**CATALOGUE, **installed_games(problems=problems), **CATALOGUE, **(more or {})}


def make_game(
    name: str,
    size: str,
    *,
    limit_mb: int = 1024,
    more: Mapping[str, CatalogueEntry] | None = None,
) -> BoardGame:
    """A game by its name and size; raises `InvalidGame` if there is no such game or size.

    Games of other packages are found by their entry points, and `more` has games of your own:
    `docs/howto/add_a_game.md` says how.

    >>> make_game("breakthrough", "4x4")
    <breakthrough 4x4>
    >>> make_game("go", "19x19")
    Traceback (most recent call last):
    ...
    setrograde.games.errors.InvalidGame: no such game: 'go' (expected one of nim, tic-tac-toe, \
breakthrough, connect4, amazons, chess)
    """
    if not isinstance(size, str):
        raise InvalidGame(f"not a size: {size!r} (expected text, like '4x5' or '3,4,5')")
    own = {**CATALOGUE, **(more or {})}
    if name in own:
        return own[name].make(size, limit_mb=limit_mb)
    for point in entry_points(group=_GROUP, name=name):
        return _load(point).make(size, limit_mb=limit_mb)
    names = [*own, *[n for n in entry_points(group=_GROUP).names if n not in own]]
    raise InvalidGame(f"no such game: {name!r} (expected one of {', '.join(names)})")
