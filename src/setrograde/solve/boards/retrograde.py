"""Retrograde analysis of board games by sets: every board at once, a ply at a time.

As in Considine, "Compressed Game Solving" (2024), section 2. With W the boards that the player to
move wins within so many plies, and L those that he loses,

    W' = reverse(L),    L' = boards that are lost or stuck, or have no move but into W.

W of one player and L of the other depend on each other only: a chain. There are two chains, and
one of them is enough if the game is the same for both players. Sets of all plies are kept: the
first ply whose set has a board is the distance.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from setrograde.bridge import InvalidInput
from setrograde.games.board_game import BoardGame, Step
from setrograde.sets import BoardSet, DamagedFile, InvalidSet, SetFile, load_sets, save_sets

__all__ = [
    "GameSolution",
    "Outcome",
    "PlyReport",
    "Probe",
    "Solved",
    "StepValue",
    "Value",
    "WrongSolution",
    "load_solution",
    "save_solution",
    "solve_game",
]

_SAVE_EVERY_S = 20.0


class WrongSolution(InvalidInput):
    """A file that does not hold the solution of this game.

    >>> issubclass(WrongSolution, ValueError)
    True
    """


class Outcome(StrEnum):
    """For the player to move, when both play perfectly.

    >>> str(Outcome.WIN), Outcome.LOSS.reversed
    ('win', <Outcome.WIN: 'win'>)
    """

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    @property
    def reversed(self) -> Outcome:
        """The same for the other player."""
        return {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}.get(self, self)


@dataclass(frozen=True, slots=True)
class Value:
    """What a board is worth to the player to move.

    >>> str(Value(Outcome.WIN, 3)), str(Value(Outcome.DRAW, None))
    ('win in 3', 'draw')
    """

    outcome: Outcome
    distance: int | None
    """Plies to the end with best play, the winner hurrying; `None` for a draw."""

    def __str__(self) -> str:
        if self.distance is None:
            return str(self.outcome)
        return f"{self.outcome} in {self.distance}"


@dataclass(frozen=True, slots=True)
class StepValue:
    """A move and what it is worth to the player who makes it.

    >>> str(StepValue(Step("a1-a2", "x..."), Value(Outcome.WIN, 1)).value)
    'win in 1'
    """

    step: Step
    value: Value


@dataclass(frozen=True, slots=True)
class Probe:
    """The answer about one board: its value and all moves, best first.

    >>> Probe(Value(Outcome.LOSS, 0), ()).best is None
    True
    """

    value: Value
    steps: tuple[StepValue, ...]

    @property
    def best(self) -> StepValue | None:
        """A best move, if there is any: wins soonest, or loses latest."""
        return self.steps[0] if self.steps else None


@dataclass(frozen=True, slots=True)
class PlyReport:
    """How far a solve has come.

    >>> PlyReport(3, 0, 12, 40, 5, 90, 0.1).ply
    3
    """

    ply: int
    player: int
    """Whose wins these are; the losses are the other player's."""

    wins: int
    """Boards won so far, in so many plies or fewer."""

    wins_states: int
    losses: int
    losses_states: int
    seconds: float
    """CPU time since the start."""


Progress = Callable[[PlyReport], None]
_Plies = list[tuple[int, BoardSet]]


class Solved(ABC):
    """A solution of a game: it knows what boards are worth.

    >>> from setrograde.games.nim import Nim
    >>> isinstance(solve_game(Nim([3, 4, 5])), Solved)
    True
    """

    __slots__ = ()

    has_distances: ClassVar[bool]
    """Whether values tell in how many plies, too."""

    game: BoardGame
    legal: tuple[BoardSet, BoardSet]
    """Boards that were solved, by player to move."""

    @abstractmethod
    def values(self, boards: Sequence[str], player: int) -> list[Value]:
        """The values of many boards with the same player to move."""

    def value(self, board: str, player: int) -> Value:
        """The value of one board; `InvalidInput` if it was not solved."""
        if board not in self.legal[player]:
            raise InvalidInput(
                f"not a board that was solved: {board!r} with player {player} to move"
                f" (expected one of {self.legal[player].count:,})"
            )
        return self.values([board], player)[0]

    def probe(self, board: str, player: int) -> Probe:
        """The value of a board, and its moves from best to worst.

        >>> from setrograde.games.nim import Nim
        >>> probe = solve_game(Nim([3, 4, 5])).probe("345", 0)
        >>> str(probe.value), probe.best.step.text
        ('win in 11', '1:3-1')
        """
        value = self.value(board, player)
        steps = list(self.game.iter_steps(board, player))
        after = self.values([step.board for step in steps], 1 - player)
        valued = [
            StepValue(
                step, Value(v.outcome.reversed, None if v.distance is None else v.distance + 1)
            )
            for step, v in zip(steps, after, strict=True)
        ]
        return Probe(value, tuple(sorted(valued, key=_rank)))

    @property
    def start_value(self) -> Value:
        """The value of the start for player 0."""
        return self.value(self.game.start, 0)

    @property
    def winner(self) -> int | None:
        """Who wins from the start; `None` for a draw."""
        outcome = self.start_value.outcome
        return {Outcome.WIN: 0, Outcome.LOSS: 1, Outcome.DRAW: None}[outcome]


@dataclass(frozen=True, slots=True)
class GameSolution(Solved):
    """A game solved: the value of every legal board for either player to move.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> solution = solve_game(Breakthrough(3, 4))
    >>> solution.winner, str(solution.start_value)
    (1, 'loss in 12')
    >>> solution.count(Outcome.WIN, 0), solution.count(Outcome.LOSS, 0)
    (145495, 385946)
    """

    has_distances: ClassVar[bool] = True

    game: BoardGame
    legal: tuple[BoardSet, BoardSet]
    wins: dict[int, _Plies] = field(repr=False)
    """By player: sets that grow, each with the ply of its last boards."""

    losses: dict[int, _Plies] = field(repr=False)

    # --- whole sets ---

    def boards(self, outcome: Outcome, player: int) -> BoardSet:
        """All boards with that outcome for a player to move.

        Of a game that is the same for both players only one side is kept: `InvalidInput` then says
        to ask for the other player's boards.
        """
        if outcome is Outcome.DRAW:
            return (
                self.legal[player]
                - self.boards(Outcome.WIN, player)
                - self.boards(Outcome.LOSS, player)
            )
        sets = self.wins if outcome is Outcome.WIN else self.losses
        if player in sets:
            return sets[player][-1][1] if sets[player] else self.game.space.nothing
        raise InvalidInput(
            f"no set of boards that player {player} has as a {outcome}: the game is the same for"
            f" both (expected player {1 - player}, and boards mirrored)"
        )

    def count(self, outcome: Outcome, player: int) -> int:
        """How many boards have that outcome for a player to move."""
        if outcome is Outcome.DRAW:
            decided = self.count(Outcome.WIN, player) + self.count(Outcome.LOSS, player)
            return self.legal[player].count - decided
        sets = self.wins if outcome is Outcome.WIN else self.losses
        asked = player if player in sets else 1 - player
        return self.boards(outcome, asked).count

    def histogram(self, outcome: Outcome, player: int) -> dict[int, int]:
        """How many boards have that outcome after each number of plies.

        >>> from setrograde.games.nim import Nim
        >>> solve_game(Nim([2, 2])).histogram(Outcome.LOSS, 0)
        {0: 1, 2: 1, 4: 1}
        """
        sets = self.wins if outcome is Outcome.WIN else self.losses
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
        """Automaton states of the final sets."""
        return sum(plies[-1][1].states for plies in self._all_plies() if plies)

    def _all_plies(self) -> list[_Plies]:
        return [*self.wins.values(), *self.losses.values()]

    # --- boards ---

    def values(self, boards: Sequence[str], player: int) -> list[Value]:
        """The values of many boards with the same player to move."""
        found = [Value(Outcome.DRAW, None)] * len(boards)
        for outcome, sets in ((Outcome.WIN, self.wins), (Outcome.LOSS, self.losses)):
            is_kept = player in sets
            asked = boards if is_kept else [self._mirrored(board) for board in boards]
            open_ones = list(range(len(boards)))
            plies = sets[player if is_kept else 1 - player]
            if not plies:
                continue
            inside = plies[-1][1].contains_all_of(asked)
            open_ones = [number for number in open_ones if inside[number]]
            for ply, members in plies:
                answers = members.contains_all_of([asked[number] for number in open_ones])
                for number, is_in in zip(open_ones, answers, strict=True):
                    if is_in:
                        found[number] = Value(outcome, ply)
                open_ones = [n for n, is_in in zip(open_ones, answers, strict=True) if not is_in]
        return found

    def _mirrored(self, board: str) -> str:
        mirrored = self.game.mirrored(board)
        assert mirrored is not None
        return mirrored

    def _repr_html_(self) -> str:
        from .display import solution_html

        return solution_html(self)


def _rank(step: StepValue) -> tuple[int, int]:
    distance = step.value.distance or 0
    if step.value.outcome is Outcome.WIN:
        return 0, distance
    return (1, 0) if step.value.outcome is Outcome.DRAW else (2, -distance)


def solve_game(
    game: BoardGame,
    *,
    legal: tuple[BoardSet, BoardSet] | None = None,
    progress: Progress | None = None,
    parts: Path | None = None,
) -> GameSolution:
    """Solve all legal boards of a game; of `legal`, if given, which moves must not leave.

    `parts` is a folder in which plies are kept as they are finished: a solve that was stopped goes
    on from there. `OutOfRoom` is raised if the sets do not fit in the memory of the game's space.
    With `legal` both players' sets are made, also if the game is the same for both: boards that can
    come up for one need not come up mirrored for the other.
    """
    players = (0,) if game.is_mirrored and legal is None else (0, 1)
    if legal is None:
        legal = (game.legal(0), game.legal(1))
    keeper = _Parts(game, parts) if parts is not None else None
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
                    keeper.note(player, chain)
                if progress:
                    progress(chain.report(time.process_time() - started))
        finally:
            if keeper:
                keeper.flush()
        wins[player], losses[1 - player] = chain.wins, chain.losses
    return GameSolution(game, legal, wins, losses)


class _Chain:
    """Wins of one player and losses of the other."""

    def __init__(self, game: BoardGame, legal: tuple[BoardSet, BoardSet], player: int) -> None:
        other = 1 - player
        self._winner, self._loser = game.moves(player), game.moves(other)
        self._legal, self._other_legal = legal[player], legal[other]
        self.player = player
        self.ply = 0
        self.wins: _Plies = []
        can_move = self._loser.reverse(self._legal) & self._other_legal
        lost = game.lost(other) & self._other_legal
        if game.stuck_loses:
            lost |= self._other_legal - can_move
        self._may_lose = lost | can_move
        self.losses: _Plies = [(0, lost)] if lost else []
        self.is_done = not lost

    def advance(self) -> None:
        """One ply more: new wins rest on new losses and the other way round, so they take turns."""
        self.ply += 1
        if self.ply % 2:
            self._add(self.wins, self._next_wins())
        else:
            escapes = self._loser.reverse(self._legal - self.wins[-1][1])
            self._add(self.losses, self._may_lose - escapes)

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

    def _add(self, plies: _Plies, boards: BoardSet) -> None:
        self.is_done = not boards if not plies else boards == plies[-1][1]
        if not self.is_done:
            plies.append((self.ply, boards))

    def resume(self, known: dict[int, BoardSet]) -> None:
        """Take over plies 1, 2, ... as far as they are known without a gap."""
        while self.ply + 1 in known and not self.is_done:
            self.ply += 1
            self._add(self.wins if self.ply % 2 else self.losses, known[self.ply])

    def report(self, seconds: float) -> PlyReport:
        nothing = self._legal.space.nothing
        won = self.wins[-1][1] if self.wins else nothing
        lost = self.losses[-1][1] if self.losses else nothing
        return PlyReport(
            self.ply, self.player, won.count, won.states, lost.count, lost.states, seconds
        )


class _Parts:
    """Finished plies of an unfinished solve, in numbered files of a folder."""

    def __init__(self, game: BoardGame, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._game, self._folder = game, folder
        self._about = {"game": game.name, "size": game.size}
        self._fresh: dict[str, BoardSet] = {}
        self._saved_at = time.monotonic()
        self._known: dict[str, BoardSet] = {}
        self._files = 0
        for path in sorted(folder.glob("part_*.sets")):
            found = _load(path, game)
            if found.about != self._about:
                raise WrongSolution(
                    f"{path} belongs to {found.about} (expected {self._about}; remove it to begin"
                    " again)"
                )
            self._known |= found.sets
            self._files += 1

    def read(self, player: int) -> dict[int, BoardSet]:
        names = [re.fullmatch(rf"{player}\.([0-9]+)", name, re.ASCII) for name in self._known]
        return {int(name[1]): self._known[name[0]] for name in names if name}

    def note(self, player: int, chain: _Chain) -> None:
        plies = chain.wins if chain.ply % 2 else chain.losses
        if plies:
            self._fresh[f"{player}.{chain.ply}"] = plies[-1][1]
        if time.monotonic() - self._saved_at > _SAVE_EVERY_S:
            self.flush()

    def flush(self) -> None:
        if self._fresh:
            path = self._folder / f"part_{self._files:05}.sets"
            save_sets(path, self._fresh, about=self._about, level=3)
            self._files += 1
        self._fresh = {}
        self._saved_at = time.monotonic()


# --- solutions on disk ---


def save_solution(
    path: Path, solution: GameSolution, *, about: dict[str, Any] | None = None
) -> int:
    """Write a solution; returns the bytes of its file.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.games.nim import Nim
    >>> with TemporaryDirectory() as folder:
    ...     size = save_solution(Path(folder, "nim.sets"), solve_game(Nim([3, 4, 5])))
    ...     load_solution(Path(folder, "nim.sets"), Nim([3, 4, 5])).winner
    0
    """
    game = solution.game
    sets = {f"legal.{player}": solution.legal[player] for player in (0, 1)}
    for kind, by_player in (("win", solution.wins), ("loss", solution.losses)):
        for player, plies in by_player.items():
            sets |= {f"{kind}.{player}.{ply}": boards for ply, boards in plies}
    told = {
        "game": game.name,
        "size": game.size,
        "players": sorted(solution.wins),
        **(about or {}),
    }
    return save_sets(path, sets, about=told)


def load_solution(path: Path, game: BoardGame) -> GameSolution:
    """Read a solution of `game` into its space; `WrongSolution` if it is of another."""
    found = _load(path, game)
    if (found.about.get("game"), found.about.get("size")) != (game.name, game.size):
        raise WrongSolution(
            f"{path} holds {found.about.get('game')} {found.about.get('size')}"
            f" (expected {game.name} {game.size})"
        )
    wins: dict[int, _Plies] = {}
    losses: dict[int, _Plies] = {}
    with suppress(KeyError, ValueError):
        legal = (found.sets.pop("legal.0"), found.sets.pop("legal.1"))
        for player in (0,) if found.about.get("players") == [0] and game.is_mirrored else (0, 1):
            wins[player], losses[1 - player] = [], []
        for name, boards in found.sets.items():
            kind, player_text, ply = name.split(".")
            plies = {"win": wins, "loss": losses}[kind][int(player_text)]
            plies.append((int(ply), boards))
        return GameSolution(game, legal, wins, losses)
    raise WrongSolution(f"{path} holds other sets than a solution: {', '.join(found.sets)[:80]}")


def _load(path: Path, game: BoardGame) -> SetFile:
    try:
        return load_sets(path, space=game.space)
    except DamagedFile:
        raise
    except InvalidSet as error:
        raise WrongSolution(f"{path}: {error}") from None
