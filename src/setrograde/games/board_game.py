"""What a board game is: boards, moves of sets, and the same rules board by board.

A game says its rules twice. `moves`, `legal` and `lost` speak of sets, for the solver.
`iter_steps`, `is_legal` and `has_lost` speak of single boards in plain Python, to play by and to
verify solutions by: they share no code with the sets.

Players are 0, who begins, and 1. How to write one: `docs/howto/add_a_game.md`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from setrograde.sets import BoardSet, BoardSpace, MoveGraph, Moves

from .errors import InvalidGame

__all__ = ["BoardGame", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One move on one board.

    >>> Step("a1-a2", "x...")
    Step(text='a1-a2', board='x...')
    """

    text: str
    """How players write the move."""

    board: str
    """The board after it."""


class BoardGame(ABC):
    """A game of one size for two players with nothing hidden and no chance.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> game = Breakthrough(2, 4)
    >>> print(game.to_text(game.start))
    oo
    oo
    xx
    xx
    >>> [step.text for step in game.iter_steps(game.start, 0)]
    ['a2xb3', 'b2xa3']
    """

    name: str
    """The name on the command line."""

    sizes = ""
    """The sizes there are, in a few words; for lists of games."""

    example_size = ""
    """A size, as `from_size` takes it; for lists of games."""

    stuck_loses = True
    """Whether a player who cannot move has lost; otherwise the game is drawn."""

    stuck_wins = False
    """Whether a player who cannot move has won, as in games where taking the last piece loses.

    Then `stuck_loses` does not count. Boards of `lost` stay lost.
    """

    is_solved_within_reach = False
    """Whether to solve only boards that can come up: better for games that fill the board."""

    letter_weights: Sequence[Mapping[str, int]] | None = None
    """What each letter counts at each place, if every move lowers the sum over the board.

    Then the game can be solved by grades. Letters that are not listed count 0. If the game is the
    same for both players, the weights must be mirrored too.
    """

    def __init__(self, size: str, alphabets: Iterable[str], *, limit_mb: int) -> None:
        self.size = size
        self.space = BoardSpace(alphabets, limit_mb=limit_mb)
        self._moves: dict[int, Moves | MoveGraph] = {}

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> BoardGame:
        """The game of a size given as text; for games that are called by name, as by commands.

        Raises `InvalidGame` for text that is no size.
        """
        raise InvalidGame(f"no size of {cls.name} can be read: {size!r} (expected a from_size)")

    # --- sets ---

    @abstractmethod
    def make_moves(self, player: int) -> Moves | MoveGraph:
        """All moves of a player, none from a board where play is over."""

    def legal(self, player: int) -> BoardSet:
        """The boards to solve, with that player to move; all boards unless a game overrides it."""
        return self.space.everything

    def reach_bound(self, plies: int | None = None) -> BoardSet:
        """A set that holds all boards that can come up; all boards unless a game overrides it.

        With `plies`, all boards that can come up after that number of plies, and those in the
        middle of the next move. The set may be larger than need be, but should have few states.
        """
        return self.space.everything

    def lost(self, player: int) -> BoardSet:
        """Boards where play is over and the player to move has lost, other than by being stuck."""
        return self.space.nothing

    def moves(self, player: int) -> Moves | MoveGraph:
        """The moves of `make_moves`, which is called once for each player."""
        if player not in self._moves:
            self._moves[player] = self.make_moves(player)
        return self._moves[player]

    # --- boards ---

    @property
    @abstractmethod
    def start(self) -> str:
        """The board at the start, player 0 to move."""

    @abstractmethod
    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves of a player on one board, in plain Python; none if play is over."""

    def is_legal(self, board: str, player: int) -> bool:
        """Whether `legal` has the board."""
        return True

    def has_lost(self, board: str, player: int) -> bool:
        """Whether `lost` has the board."""
        return False

    def mirrored(self, board: str) -> str | None:
        """The board as the other player sees it, or `None` if the game differs for the two players.

        If the game is the same for both, one player's sets are enough, at half the work.
        """
        return None

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether the game is the same for both players."""
        return self.mirrored(self.start) is not None

    # --- text ---

    def to_text(self, board: str) -> str:
        """The board as lines of text."""
        return board

    def parse_board(self, text: str) -> str:
        """Read a board whose rows are divided by slashes or blanks; raises `InvalidGame`.

        >>> from setrograde.games.breakthrough import Breakthrough
        >>> game = Breakthrough(2, 4)
        >>> game.parse_board("oo/oo/xx/xx") == game.start
        True
        """
        return self.check_board("".join(text.replace("/", " ").split()), text)

    def check_board(self, board: str, text: str) -> str:
        """The board, if it is one of the space."""
        if board not in self.space.everything:
            letters = "".join(sorted(set("".join(self.space.alphabets))))
            raise InvalidGame(
                f"not a board of {self.name} {self.size}: {text!r}"
                f" (expected {self.space.places} of {letters!r})"
            )
        return board

    def __repr__(self) -> str:
        return f"<{self.name} {self.size}>"
