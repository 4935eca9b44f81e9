"""Retrograde analysis of board games by sets: every board at once, a ply at a time.

As in Considine, "Compressed Game Solving" (2024), section 2. With W the boards that the player to
move wins within n plies, and L those that he loses within n plies, one ply more gives

    W' = reverse(L),    L' = boards that are lost or stuck, or have no move but into W.

W of one player and L of the other depend on each other only: a chain. There are two chains, and
one of them is enough if the game is the same for both players. Sets of all plies are kept: the
first ply whose set has a board is the distance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from setrograde.common.stop import StopFlag, Stopped
from setrograde.errors import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet

from .finished_plies import FinishedPlies
from .values import BoardOutcome, BoardValue, SolvedGame

__all__ = ["GameSolution", "PlyReport", "solve_retrograde"]


@dataclass(frozen=True, slots=True)
class PlyReport:
    """How far a solve has come.

    >>> print(PlyReport(3, 0, 12, 40, 5, 90, 0.1))
    ply   3  player 1 wins 12 (40 states), player 2 loses 5 (90 states)  0.1 s
    """

    ply: int
    player: int
    """The player whose wins are counted; the losses are the other player's."""

    wins: int
    """The number of boards won within `ply` plies."""

    wins_states: int
    losses: int
    losses_states: int
    seconds: float
    """CPU time since the start."""

    def __str__(self) -> str:
        return (
            f"ply {self.ply:3}  player {self.player + 1} wins {self.wins:,}"
            f" ({self.wins_states:,} states), player {2 - self.player} loses {self.losses:,}"
            f" ({self.losses_states:,} states)  {self.seconds:.1f} s"
        )


Progress = Callable[[PlyReport], None]
_Plies = list[tuple[int, BoardSet]]


@dataclass(frozen=True, slots=True)
class GameSolution(SolvedGame):
    """A solved game: the value of every legal board for either player to move.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> solution = solve_retrograde(Breakthrough(3, 4))
    >>> solution.winner, str(solution.start_value)
    (1, 'loss in 12')
    >>> solution.count(BoardOutcome.WIN, 0), solution.count(BoardOutcome.LOSS, 0)
    (145495, 385946)
    >>> print(solution)
    breakthrough 3x4: player 2 wins in 12 plies
    player 1 to move: 145,495 boards won, 385,946 lost, 0 drawn; the longest game takes 12 plies
    """

    has_distances: ClassVar[bool] = True

    game: BoardGame
    legal: tuple[BoardSet, BoardSet]
    wins: dict[int, _Plies] = field(repr=False)
    """By player, for each ply: the boards won within that number of plies."""

    losses: dict[int, _Plies] = field(repr=False)
    """By player, for each ply: the boards lost within that number of plies."""

    # --- whole sets ---

    def boards(self, outcome: BoardOutcome, player: int) -> BoardSet:
        """All boards with that outcome for a player to move.

        If the game is the same for both players, only one player's sets are kept; `InvalidInput`
        then says to ask for those of the other player.
        """
        if outcome is BoardOutcome.DRAW:
            return (
                self.legal[player]
                - self.boards(BoardOutcome.WIN, player)
                - self.boards(BoardOutcome.LOSS, player)
            )
        sets = self.wins if outcome is BoardOutcome.WIN else self.losses
        if player in sets:
            return sets[player][-1][1] if sets[player] else self.game.space.nothing
        raise InvalidInput(
            f"no set of boards that player {player + 1} has as a {outcome}: the game is the same"
            f" for both (expected player {2 - player}, and boards mirrored)"
        )

    def count(self, outcome: BoardOutcome, player: int) -> int:
        """The number of boards with that outcome for a player to move."""
        if outcome is BoardOutcome.DRAW:
            decided = self.count(BoardOutcome.WIN, player) + self.count(BoardOutcome.LOSS, player)
            return self.legal[player].count - decided
        sets = self.wins if outcome is BoardOutcome.WIN else self.losses
        asked = player if player in sets else 1 - player
        return self.boards(outcome, asked).count

    def histogram(self, outcome: BoardOutcome, player: int) -> dict[int, int]:
        """The number of boards with that outcome, by their distance in plies.

        >>> from setrograde.games.nim import Nim
        >>> solve_retrograde(Nim([2, 2])).histogram(BoardOutcome.LOSS, 0)
        {0: 1, 2: 1, 4: 1}
        """
        sets = self.wins if outcome is BoardOutcome.WIN else self.losses
        found, before = {}, 0
        for ply, boards in sets[player if player in sets else 1 - player]:
            if boards.count > before:
                found[ply] = boards.count - before
            before = boards.count
        return found

    @property
    def plies(self) -> int:
        """The longest distance of any board."""
        return max([plies[-1][0] for plies in self._all_plies() if plies], default=0)

    @property
    def states(self) -> int:
        """The number of automaton states of the final sets."""
        return sum(plies[-1][1].states for plies in self._all_plies() if plies)

    def _all_plies(self) -> list[_Plies]:
        return [*self.wins.values(), *self.losses.values()]

    # --- boards ---

    def values(self, boards: Sequence[str], player: int) -> list[BoardValue]:
        """The values of many boards with the same player to move."""
        found = [BoardValue(BoardOutcome.DRAW, None)] * len(boards)
        for outcome, sets in ((BoardOutcome.WIN, self.wins), (BoardOutcome.LOSS, self.losses)):
            is_kept = player in sets
            asked = boards if is_kept else [self._mirrored(board) for board in boards]
            plies = sets[player if is_kept else 1 - player]
            if not plies:
                continue
            inside = plies[-1][1].contains_all_of(asked)
            # Sets grow with the plies, so halving finds the first that has a board.
            remaining = [(0, len(plies) - 1, [n for n, is_in in enumerate(inside) if is_in])]
            while remaining:
                first, last, numbers = remaining.pop()
                if not numbers:
                    continue
                if first == last:
                    for number in numbers:
                        found[number] = BoardValue(outcome, plies[first][0])
                    continue
                middle = (first + last) // 2
                inside = plies[middle][1].contains_all_of([asked[number] for number in numbers])
                for bounds, side in (((first, middle), True), ((middle + 1, last), False)):
                    part = [n for n, is_in in zip(numbers, inside, strict=True) if is_in == side]
                    remaining.append((*bounds, part))
        return found

    def _mirrored(self, board: str) -> str:
        mirrored = self.game.mirrored(board)
        assert mirrored is not None
        return mirrored

    def __str__(self) -> str:
        won, lost, drawn = [self.count(outcome, 0) for outcome in BoardOutcome]
        return (
            f"{self.game.name} {self.game.size}: {self.result}\n"
            f"player 1 to move: {won:,} boards won, {lost:,} lost, {drawn:,} drawn;"
            f" the longest game takes {self.plies} plies"
        )

    def _repr_html_(self) -> str:
        from .display import solution_html

        return solution_html(self)


def solve_retrograde(
    game: BoardGame,
    *,
    legal: tuple[BoardSet, BoardSet] | None = None,
    progress: Progress | None = None,
    parts: Path | None = None,
    stop: StopFlag | None = None,
) -> GameSolution:
    """Solve all legal boards of a game, with distances.

    `legal` restricts the solve to some boards, by player to move; no move may lead out of them.
    Then both players' sets are made, also if the game is the same for both: boards that can come up
    for one player need not come up mirrored for the other. `parts` is a folder that keeps finished
    plies, written every 20 seconds and after an error: the next solve continues from there. `stop`
    ends the solve with `Stopped`. Raises `OutOfRoom` if the sets do not fit in the memory of the
    game's space.
    """
    with game.space.stopping(stop):
        return _solve(game, legal, progress, parts)


def _solve(
    game: BoardGame,
    legal: tuple[BoardSet, BoardSet] | None,
    progress: Progress | None,
    parts: Path | None,
) -> GameSolution:
    players = (0,) if game.is_mirrored and legal is None else (0, 1)
    if legal is None:
        legal = (game.legal(0), game.legal(1))
    keeper = FinishedPlies(game, parts, legal) if parts is not None else None
    wins: dict[int, _Plies] = {}
    losses: dict[int, _Plies] = {}
    started = time.process_time()
    for player in players:
        chain = _Chain(game, legal, player)
        if keeper:
            chain.resume(keeper.read(player))
        try:
            while not chain.is_done:
                chain.advance()
                if keeper:
                    keeper.add(player, chain.ply, chain.newest)
                if progress:
                    progress(chain.report(time.process_time() - started))
        except Stopped:
            raise  # at once, with what was written before
        except BaseException:
            if keeper:
                keeper.flush()
            raise
        if keeper:
            keeper.flush()
        wins[player], losses[1 - player] = chain.wins, chain.losses
    return GameSolution(game, legal, wins, losses)


def with_both_players(solution: GameSolution) -> GameSolution:
    """The solution with the sets of both players, which are made if only one player's are kept.

    >>> from setrograde.games.nim import Nim
    >>> sorted(with_both_players(solve_retrograde(Nim([2, 2]))).wins)
    [0, 1]
    """
    wins, losses = dict(solution.wins), dict(solution.losses)
    for player in {0, 1} - set(wins):
        chain = _Chain(solution.game, solution.legal, player)
        while not chain.is_done:
            chain.advance()
        wins[player], losses[1 - player] = chain.wins, chain.losses
    return GameSolution(solution.game, solution.legal, wins, losses)


class _Chain:
    """Wins of one player and losses of the other."""

    def __init__(self, game: BoardGame, legal: tuple[BoardSet, BoardSet], player: int) -> None:
        other = 1 - player
        self._winner, self._loser = game.moves(player), game.moves(other)
        self._legal, self._other_legal = legal[player], legal[other]
        self._takes_turns = not game.stuck_wins
        self.player = player
        self.ply = 0
        can_move = self._loser.reverse(self._legal) & self._other_legal
        lost = game.lost(other) & self._other_legal
        self._won_at_once = game.space.nothing
        if game.stuck_wins:
            winner_can_move = self._winner.reverse(self._other_legal)
            self._won_at_once = self._legal - game.lost(player) - winner_can_move
        elif game.stuck_loses:
            lost |= self._other_legal - can_move
        self._may_lose = lost | can_move
        self.wins: _Plies = [(0, self._won_at_once)] if self._won_at_once else []
        self.losses: _Plies = [(0, lost)] if lost else []
        self.newest: dict[str, BoardSet] = {}
        """The sets of the last ply, by their kind: `win`, `loss` or both."""
        self.is_done = not self.wins and not self.losses

    def advance(self) -> None:
        """One ply more: new wins rest on new losses and the other way round, so they take turns.

        Where a stuck player wins, some games end with a win and some with a loss. Then new wins
        and new losses come in every ply.
        """
        self.ply += 1
        self._add({kind: self._next(kind) for kind in self._kinds()})

    def _kinds(self) -> tuple[str, ...]:
        """What the sets of this ply are."""
        if not self._takes_turns:
            return ("win", "loss")
        return ("win",) if self.ply % 2 else ("loss",)

    def _next(self, kind: str) -> BoardSet:
        if kind == "loss":
            escapes = self._legal - self.wins[-1][1] if self.wins else self._legal
            return self._may_lose - self._loser.reverse(escapes)
        if not self._takes_turns:
            lost = self.losses[-1][1] if self.losses else self._legal.space.nothing
            return self._won_at_once | (self._winner.reverse(lost) & self._legal)
        return self._next_wins()

    def _next_wins(self) -> BoardSet:
        """From all losses or, where these are the smaller set, from those of the last ply.

        Whole sets are faster while they still grow; then new losses are. On 5x5 that is so from
        ply 17 on and saves a sixth of the time. Losses from new wins were tried: six times slower.
        """
        lost = self.losses[-1][1]
        if self.wins:
            before = self.losses[-2][1]
            if 4 * lost.nodes < 5 * before.nodes:
                fresh = lost - before
                if 4 * fresh.nodes < 3 * lost.nodes:
                    return self.wins[-1][1] | (self._winner.reverse(fresh) & self._legal)
        return self._winner.reverse(lost) & self._legal

    def _add(self, found: dict[str, BoardSet]) -> None:
        self.newest = found
        self.is_done = True
        for kind, boards in found.items():
            plies = self.wins if kind == "win" else self.losses
            if boards != plies[-1][1] if plies else bool(boards):
                plies.append((self.ply, boards))
                self.is_done = False

    def resume(self, known: dict[int, dict[str, BoardSet]]) -> None:
        """Take over plies 1, 2, ... as far as they are known without a gap."""
        while not self.is_done and self.ply + 1 in known:
            self.ply += 1
            if set(known[self.ply]) != set(self._kinds()):
                self.ply -= 1
                return
            self._add(known[self.ply])

    def report(self, seconds: float) -> PlyReport:
        nothing = self._legal.space.nothing
        won = self.wins[-1][1] if self.wins else nothing
        lost = self.losses[-1][1] if self.losses else nothing
        return PlyReport(
            self.ply, self.player, won.count, won.states, lost.count, lost.states, seconds
        )
