"""What boards are worth, and what every solution of a game can answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from setrograde.errors import InvalidInput
from setrograde.games.board_game import BoardGame, Step
from setrograde.sets import BoardSet

__all__ = [
    "BoardOutcome",
    "BoardProbe",
    "BoardValue",
    "SolvedGame",
    "StepValue",
    "WrongSolution",
    "stuck_outcome",
]


class WrongSolution(InvalidInput):
    """A file that does not hold the solution of this game.

    >>> issubclass(WrongSolution, ValueError)
    True
    """


class BoardOutcome(StrEnum):
    """How a game ends for the player to move when both players play perfectly.

    >>> str(BoardOutcome.WIN), BoardOutcome.LOSS.reversed
    ('win', <BoardOutcome.WIN: 'win'>)
    """

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    @property
    def reversed(self) -> BoardOutcome:
        """The same outcome as the other player sees it."""
        return {BoardOutcome.WIN: BoardOutcome.LOSS, BoardOutcome.LOSS: BoardOutcome.WIN}.get(
            self, self
        )


def stuck_outcome(game: BoardGame) -> BoardOutcome:
    """How a game ends for a player who cannot move and has not lost otherwise.

    >>> from setrograde.games.nim import Nim
    >>> stuck_outcome(Nim([3, 4, 5]))
    <BoardOutcome.LOSS: 'loss'>
    """
    if game.stuck_wins:
        return BoardOutcome.WIN
    return BoardOutcome.LOSS if game.stuck_loses else BoardOutcome.DRAW


@dataclass(frozen=True, slots=True)
class BoardValue:
    """What a board is worth to the player to move.

    >>> print(BoardValue(BoardOutcome.WIN, 3), BoardValue(BoardOutcome.DRAW, None), sep=", ")
    win in 3, draw
    """

    outcome: BoardOutcome
    distance: int | None
    """The number of plies to the end if the winner hurries and the loser delays; `None` for a draw,
    and in solutions without distances."""

    def __str__(self) -> str:
        if self.distance is None:
            return str(self.outcome)
        return f"{self.outcome} in {self.distance}"

    @property
    def before(self) -> BoardValue:
        """What a move to this board is worth to the player who makes it."""
        distance = None if self.distance is None else self.distance + 1
        return BoardValue(self.outcome.reversed, distance)


@dataclass(frozen=True, slots=True)
class StepValue:
    """A move and what it is worth to the player who makes it.

    >>> print(StepValue(Step("a1-a2", "x..."), BoardValue(BoardOutcome.WIN, 1)))
    a1-a2        win in 1
    """

    step: Step
    value: BoardValue

    def __str__(self) -> str:
        return f"{self.step.text:12} {self.value}"


@dataclass(frozen=True, slots=True)
class BoardProbe:
    """The answer about one board: its value and all moves, best first.

    >>> probe = BoardProbe(BoardValue(BoardOutcome.LOSS, 0), ())
    >>> probe.best is None, str(probe)
    (True, 'loss in 0')
    """

    value: BoardValue
    """What the board is worth to the player to move."""

    steps: tuple[StepValue, ...]
    """All moves: first wins, the soonest first; then draws; then losses, the latest first."""

    @property
    def best(self) -> StepValue | None:
        """A best move, or `None` if there is no move: it wins soonest, or loses latest."""
        return self.steps[0] if self.steps else None

    def __str__(self) -> str:
        return "\n".join([str(self.value), *[f"  {each}" for each in self.steps]])


class SolvedGame(ABC):
    """A solution of a game: it knows what boards are worth.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards import solve_game
    >>> isinstance(solve_game(Nim([3, 4, 5])), SolvedGame)
    True
    """

    __slots__ = ()

    has_distances: ClassVar[bool]
    """Whether values have the number of plies to the end."""

    game: BoardGame
    legal: tuple[BoardSet, BoardSet]
    """The boards that were solved, by player to move."""

    @abstractmethod
    def values(self, boards: Sequence[str], player: int) -> list[BoardValue]:
        """The values of many boards with the same player to move."""

    def value(self, board: str, player: int) -> BoardValue:
        """The value of one board; raises `InvalidInput` if it was not solved."""
        if board not in self.legal[player]:
            other = f", or player {2 - player} to move" if board in self.legal[1 - player] else ""
            raise InvalidInput(
                f"not a board that was solved: {board!r} with"
                f" the {('first', 'second')[player]} player to move"
                f" (expected one of {self.legal[player].count:,}{other})"
            )
        return self.values([board], player)[0]

    def probe(self, board: str | None = None, player: int = 0) -> BoardProbe:
        """The value of a board, the start by default, and its moves from best to worst.

        >>> from setrograde.games.nim import Nim
        >>> from setrograde.solve.boards import solve_game
        >>> probe = solve_game(Nim([3, 4, 5])).probe("345", 0)
        >>> str(probe.value), probe.best.step.text
        ('win in 11', '1:3-1')
        """
        board = self.game.start if board is None else board
        value = self.value(board, player)
        steps = list(self.game.iter_steps(board, player))
        after = self.values([step.board for step in steps], 1 - player)
        valued = [StepValue(step, v.before) for step, v in zip(steps, after, strict=True)]
        return BoardProbe(value, tuple(sorted(valued, key=_rank)))

    @property
    def start_value(self) -> BoardValue:
        """The value of the start for player 0, who is to move."""
        return self.value(self.game.start, 0)

    @property
    def winner(self) -> int | None:
        """The player who wins from the start; `None` for a draw."""
        return {BoardOutcome.WIN: 0, BoardOutcome.LOSS: 1}.get(self.start_value.outcome)

    @property
    def result(self) -> str:
        """Who wins from the start, in words.

        >>> from setrograde.solve.boards import solve_game
        >>> solve_game("nim", "3,4,5").result
        'player 1 wins in 11 plies'
        """
        if self.winner is None:
            return "a draw"
        plies = self.start_value.distance
        return f"player {self.winner + 1} wins" + ("" if plies is None else f" in {plies} plies")


def _rank(step: StepValue) -> tuple[int, int]:
    distance = step.value.distance or 0
    if step.value.outcome is BoardOutcome.WIN:
        return 0, distance
    return (1, 0) if step.value.outcome is BoardOutcome.DRAW else (2, -distance)
