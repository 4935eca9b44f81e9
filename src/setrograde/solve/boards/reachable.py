"""Boards that can come up, and games solved within them: forwards, then backwards.

R(i) are the boards after i plies from the start: R(i + 1) = forward(R(i)). Where play ends for
good after some plies, each R(i) is solved from R(i + 1), one reverse a ply: the meeting in the
middle of Considine, "Compressed Game Solving" (2024), section 3, with sets of a retrograde solve
to meet, if there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet

from .retrograde import GameSolution, with_both_players
from .values import BoardOutcome, BoardValue

__all__ = ["ReachableSolution", "find_reachable", "reachable_boards", "solve_reachable"]

Progress = Callable[[int, BoardSet], None]
Plies = tuple[tuple[int, BoardSet], ...]


def find_reachable(
    game: BoardGame,
    *,
    most_plies: int | None = None,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> list[BoardSet]:
    """The boards that can come up after 0, 1, 2, ... plies, for games that come to an end.

    `most_plies` ends the list early. `progress` hears of every ply and its boards. `stop` ends the
    work with `Stopped`.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> [boards.count for boards in find_reachable(Breakthrough(4, 4), most_plies=5)]
    [1, 6, 40, 280, 1379, 6610]
    """
    with game.space.stopping(stop):
        return _find_reachable(game, most_plies, progress)


def _find_reachable(
    game: BoardGame, most_plies: int | None, progress: Progress | None
) -> list[BoardSet]:
    levels = [game.space.of([game.start])]
    while most_plies is None or len(levels) <= most_plies:
        if progress:
            progress(len(levels) - 1, levels[-1])
        player = (len(levels) - 1) % 2
        following = game.moves(player).forward(levels[-1])
        if not following:
            break
        levels.append(following)
        if most_plies is None and len(levels) > 2 and following == levels[-3]:
            raise InvalidInput(f"boards of {game.name} come up again and again (give most_plies)")
    return levels


def reachable_boards(game: BoardGame, *, stop: StopFlag | None = None) -> tuple[BoardSet, BoardSet]:
    """The boards that can come up with player 0, and with player 1, to move.

    Works for any game: boards are added until none is new. `stop` ends the work with `Stopped`.

    >>> from setrograde.games.in_a_row import TicTacToe
    >>> first, second = reachable_boards(TicTacToe())
    >>> first.count + second.count
    5478
    """
    with game.space.stopping(stop):
        found = [game.space.of([game.start]), game.space.nothing]
        fresh, player = found[0], 0
        while fresh:
            reached = game.moves(player).forward(fresh)
            player = 1 - player
            fresh = reached - found[player]
            found[player] |= fresh
    return found[0], found[1]


@dataclass(frozen=True, slots=True)
class ReachableSolution:
    """The boards that can come up at each ply, with the outcome for the player to move.

    >>> from setrograde.games.in_a_row import TicTacToe
    >>> solution = solve_reachable(TicTacToe())
    >>> solution.outcome(TicTacToe().start, 0), solution.reached[9].count
    (<BoardOutcome.DRAW: 'draw'>, 78)
    >>> print(solution)
    tic-tac-toe 3x3: a draw; 5,478 boards in 9 plies
    """

    game: BoardGame
    reached: tuple[BoardSet, ...]
    wins: tuple[BoardSet, ...]
    losses: tuple[BoardSet, ...]
    wins_within: tuple[Plies, ...] | None = field(default=None, repr=False)
    """By ply: the boards won within n more plies, for each n; `None` without distances."""

    losses_within: tuple[Plies, ...] | None = field(default=None, repr=False)
    """By ply: the boards lost within n more plies, for each n; `None` without distances."""

    def outcome(self, board: str, ply: int) -> BoardOutcome:
        """The outcome of a board that came up after `ply` plies."""
        if not 0 <= ply < len(self.reached) or board not in self.reached[ply]:
            raise InvalidInput(f"not a board after {ply} plies: {board!r}")
        if board in self.wins[ply]:
            return BoardOutcome.WIN
        return BoardOutcome.LOSS if board in self.losses[ply] else BoardOutcome.DRAW

    def value(self, board: str, ply: int) -> BoardValue:
        """The outcome with its distance; for solutions made with `distances`.

        >>> from setrograde.games.breakthrough import Breakthrough
        >>> solution = solve_reachable(Breakthrough(3, 4), distances=True)
        >>> str(solution.value(solution.game.start, 0))
        'loss in 12'
        """
        outcome = self.outcome(board, ply)
        if outcome is BoardOutcome.DRAW:
            return BoardValue(outcome, None)
        within = self.wins_within if outcome is BoardOutcome.WIN else self.losses_within
        if within is None:
            raise InvalidInput("no distances were kept (expected solve_reachable(distances=True))")
        return BoardValue(outcome, next(plies for plies, boards in within[ply] if board in boards))

    @property
    def winner(self) -> int | None:
        """The player who wins from the start; `None` for a draw."""
        outcome = self.outcome(self.game.start, 0)
        return {BoardOutcome.WIN: 0, BoardOutcome.LOSS: 1, BoardOutcome.DRAW: None}[outcome]

    def __str__(self) -> str:
        result = "a draw" if self.winner is None else f"player {self.winner + 1} wins"
        boards = sum(each.count for each in self.reached)
        return (
            f"{self.game.name} {self.game.size}: {result};"
            f" {boards:,} boards in {len(self.reached) - 1} plies"
        )


def solve_reachable(
    game: BoardGame,
    *,
    meet: GameSolution | None = None,
    plies: int | None = None,
    distances: bool = False,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> ReachableSolution:
    """Solve the boards that can come up, from the last ply back to the start.

    With `meet`, a retrograde solution in the space of `game`, only boards of the first `plies`
    plies are made, and those of the last of them are looked up in it. If it keeps one player's
    sets, as for games that are the same for both, the other player's are made first. With
    `distances` each ply is solved once for each number of plies that remain. `stop` ends the solve
    with `Stopped`.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> solve_reachable(Breakthrough(3, 4)).winner
    1
    """
    if (meet is None) != (plies is None):
        raise InvalidInput("meet without plies, or plies without meet (expected both or none)")
    with game.space.stopping(stop):
        return _solve(game, meet, plies, distances, progress)


def _solve(
    game: BoardGame,
    meet: GameSolution | None,
    plies: int | None,
    distances: bool,
    progress: Progress | None,
) -> ReachableSolution:
    reached = find_reachable(game, most_plies=plies, progress=progress)
    if meet is not None and len(reached) - 1 == plies:
        meet = with_both_players(meet)
    wins: list[Plies] = []
    losses: list[Plies] = []
    for ply in reversed(range(len(reached))):
        here, player = reached[ply], ply % 2
        if meet is not None and ply == plies:
            won = [(n, here & boards) for n, boards in meet.wins[player]]
            lost = [(n, here & boards) for n, boards in meet.losses[player]]
        elif ply + 1 == len(reached):
            won, lost = _solve_last(game, here, player)
        else:
            won, lost = _solve_ply(game, reached, ply, wins[-1], losses[-1])
        wins.append(_grown(won, distances))
        losses.append(_grown(lost, distances))
    wins.reverse()
    losses.reverse()
    return ReachableSolution(
        game,
        tuple(reached),
        tuple([_last(game, each) for each in wins]),
        tuple([_last(game, each) for each in losses]),
        tuple(wins) if distances else None,
        tuple(losses) if distances else None,
    )


def _solve_last(
    game: BoardGame, here: BoardSet, player: int
) -> tuple[list[tuple[int, BoardSet]], list[tuple[int, BoardSet]]]:
    """Wins and losses of the last ply, in which nobody can move."""
    over = game.lost(player) & here
    if game.stuck_wins:
        return [(0, here - over)], [(0, over)]
    return [], [(0, here if game.stuck_loses else over)]


def _solve_ply(
    game: BoardGame, reached: Sequence[BoardSet], ply: int, won_after: Plies, lost_after: Plies
) -> tuple[list[tuple[int, BoardSet]], list[tuple[int, BoardSet]]]:
    """Wins and losses of a ply from those of the next."""
    here, after, player = reached[ply], reached[ply + 1], ply % 2
    moves = game.moves(player)
    can_move = here & moves.reverse(after)
    over = game.lost(player) & here
    won = [(n + 1, here & moves.reverse(boards)) for n, boards in lost_after]
    if game.stuck_wins:
        stuck = here - can_move - over
        won = [(0, stuck), *[(n, boards | stuck) for n, boards in won]]
    elif game.stuck_loses:
        over |= here - can_move
    lost = [(n + 1, over | (can_move - moves.reverse(after - boards))) for n, boards in won_after]
    return won, [(0, over), *lost]


def _grown(plies: Sequence[tuple[int, BoardSet]], distances: bool) -> Plies:
    """Without the sets that add no board; the last alone if distances are of no interest."""
    kept: list[tuple[int, BoardSet]] = []
    for number, boards in plies if distances else plies[-1:]:
        if boards and (not kept or boards != kept[-1][1]):
            kept.append((number, boards))
    return tuple(kept)


def _last(game: BoardGame, plies: Plies) -> BoardSet:
    return plies[-1][1] if plies else game.space.nothing
