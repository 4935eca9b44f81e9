"""Laws of partition search on random games with random sound partition systems."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import nextafter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oracle.minimax import minimax
from setrograde.papers.partition_search import (
    PartitionGame,
    PartitionSearch,
    Player,
    SinglePositions,
    Verdict,
)
from setrograde.papers.tic_tac_toe import InvalidPosition, TicTacToeBoard, iter_boards
from setrograde.papers.tic_tac_toe_partitions import BoardPattern, TicTacToePartitions


@dataclass(frozen=True)
class RandomGame(PartitionGame[int, frozenset[int]]):
    """Positions are numbers; moves go to higher ones. Sets are as large as `keep` lets them be.

    Each of P, R and C returns the position and a random part of what Definition 7 allows.
    """

    moves: tuple[tuple[int, ...], ...]
    turns: tuple[Player | float, ...]
    keep: float
    labels: int
    seed: int

    def successors(self, position: int) -> Sequence[int]:
        return self.moves[position]

    def evaluate(self, position: int) -> Player | float:
        return self.turns[position]

    def generalise(self, position: int) -> frozenset[int]:
        return self._some("P", position, self._alike(position))

    def can_reach(self, position: int, successor: int, positions: frozenset[int]) -> frozenset[int]:
        assert successor in positions and successor in self.moves[position]
        can = {p for p in self._alike(position) if not positions.isdisjoint(self.moves[p])}
        return self._some("R", position, can)

    def must_reach(self, position: int, union: Sequence[frozenset[int]]) -> frozenset[int]:
        every = frozenset[int]().union(*union)
        must = {p for p in self._alike(position) if every.issuperset(self.moves[p])}
        return self._some("C", position, must)

    def bucket(self, positions: frozenset[int]) -> Hashable:
        return max(position % self.labels for position in positions)

    def buckets(self, position: int) -> Iterable[Hashable]:
        return range(position % self.labels, self.labels)

    def _alike(self, position: int) -> set[int]:
        turn = self.turns[position]
        return {other for other, others in enumerate(self.turns) if others == turn}

    def _some(self, name: str, position: int, allowed: set[int]) -> frozenset[int]:
        assert position in allowed
        random = Random(f"{self.seed} {name} {position} {sorted(allowed)}")
        return frozenset(p for p in allowed if p == position or random.random() < self.keep)


@st.composite
def games(draw: st.DrawFn) -> RandomGame:
    size = draw(st.integers(1, 14))
    steps = draw(st.integers(1, 4))
    values = st.integers(0, steps).map(lambda step: step / steps)
    moves: list[tuple[int, ...]] = []
    turns: list[Player | float] = []
    for position in range(size):
        higher = list(range(position + 1, size))
        targets = draw(st.lists(st.sampled_from(higher), max_size=4, unique=True)) if higher else []
        moves.append(tuple(targets))
        turns.append(draw(st.sampled_from(Player) if targets else values))
    keep = draw(st.sampled_from([0.0, 0.5, 1.0]))
    labels, seed = draw(st.integers(1, 3)), draw(st.integers(0, 1000))
    return RandomGame(tuple(moves), tuple(turns), keep, labels, seed)


numbers = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0])
windows = st.one_of(
    st.tuples(numbers, numbers).filter(lambda window: window[0] < window[1]),
    numbers.filter(lambda x: x < 1).map(lambda x: (x, nextafter(x, 1))),
    numbers.filter(lambda y: y > 0).map(lambda y: (nextafter(y, 0), y)),
)


def assert_sound(game: RandomGame, verdict: Verdict[frozenset[int]]) -> None:
    value = minimax(game)
    assert all(verdict.lower <= value(position) <= verdict.upper for position in verdict.positions)
    assert len({game.turns[position] for position in verdict.positions}) == 1


@given(games())
def test_a_full_window_gives_the_minimax_value(game: RandomGame) -> None:
    value = minimax(game)
    for position in range(len(game.moves)):
        verdict = PartitionSearch(game).search(position)
        assert verdict.value == value(position)
        assert position in verdict.positions
        assert_sound(game, verdict)


@given(games(), st.floats(0, 1))
def test_zero_windows_give_the_minimax_value(game: RandomGame, first_guess: float) -> None:
    value = minimax(game)
    for position in range(len(game.moves)):
        verdict = PartitionSearch(game).solve(position, first_guess=first_guess)
        assert verdict.value == value(position)
        assert position in verdict.positions
        assert_sound(game, verdict)


@given(games(), st.data())
def test_one_table_stays_sound_through_any_questions(game: RandomGame, data: st.DataObject) -> None:
    value = minimax(game)
    positions = st.integers(0, len(game.moves) - 1)
    search = PartitionSearch(game)
    for position, window in data.draw(st.lists(st.tuples(positions, windows), max_size=12)):
        verdict = search.search(position, window=window)
        assert position in verdict.positions
        assert verdict.lower <= value(position) <= verdict.upper
        assert verdict.settles(*window)
        if window[0] < value(position) < window[1]:
            assert verdict.value == value(position)
    for verdict in search.iter_verdicts():
        assert_sound(game, verdict)


@given(games(), windows)
def test_single_positions_are_alpha_beta(game: RandomGame, window: tuple[float, float]) -> None:
    value = minimax(game)
    search = PartitionSearch(SinglePositions(game))
    for position in range(len(game.moves)):
        bound = search.search(position, window=window)
        assert bound.positions == frozenset({position})
        assert bound.lower <= value(position) <= bound.upper
        assert search.solve(position).value == value(position)


@given(games(), st.floats(0, 1))
def test_a_position_is_expanded_at_most_once_a_question(
    game: RandomGame, first_guess: float
) -> None:
    """In a zero-window search a position settled once is settled for that window."""
    search = PartitionSearch(game)
    x = min(first_guess, nextafter(1.0, 0))
    search.search(0, window=(x, nextafter(x, 1)))
    assert search.statistics.expanded <= len(game.moves)


BOARDS = list(iter_boards())
unfinished = st.sampled_from([board for board in BOARDS if not board.is_over])


@st.composite
def patterns_around(draw: st.DrawFn, board: TicTacToeBoard) -> BoardPattern:
    """Any pattern that holds `board`, not only such as a search would make."""
    shown = draw(st.lists(st.booleans(), min_size=9, max_size=9))
    cells = [cell if show else "?" for cell, show in zip(board.cells, shown, strict=True)]
    return BoardPattern("".join(cells), board.to_move)


@given(unfinished, st.data())
def test_boards_that_can_reach_a_pattern_do(board: TicTacToeBoard, data: st.DataObject) -> None:
    successor = data.draw(st.sampled_from(TicTacToePartitions().successors(board)))
    target = data.draw(patterns_around(successor))
    reaching = TicTacToePartitions().can_reach(board, successor, target)
    assert board in reaching
    for other in BOARDS:
        if other in reaching:
            assert any(after in target for after in TicTacToePartitions().successors(other))


@given(unfinished, st.data())
def test_boards_that_must_reach_some_pattern_do(board: TicTacToeBoard, data: st.DataObject) -> None:
    successors = TicTacToePartitions().successors(board)
    targets = [data.draw(patterns_around(successor)) for successor in successors]
    constrained = TicTacToePartitions().must_reach(board, targets)
    assert board in constrained
    for other in BOARDS:
        if other in constrained:
            for after in TicTacToePartitions().successors(other):
                assert any(after in target for target in targets)


@given(st.text(alphabet="XO.? ,overtomv!", max_size=30) | st.text(max_size=30))
def test_pattern_text_is_read_or_refused(text: str) -> None:
    try:
        pattern = BoardPattern.from_text(text)
    except InvalidPosition:
        return
    assert BoardPattern.from_text(str(pattern)) == pattern
