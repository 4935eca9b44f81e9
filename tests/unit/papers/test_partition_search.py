"""Partition search, on tic-tac-toe and on games made to trip it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import product

import pytest

from oracle.minimax import minimax, minimax_nodes
from setrograde.bridge import InvalidInput
from setrograde.games.errors import InvalidGame
from setrograde.papers.partition_search import (
    Game,
    InvalidWindow,
    PartitionGame,
    PartitionSearch,
    Player,
    SinglePositions,
    Verdict,
)
from setrograde.papers.tic_tac_toe import InvalidPosition, Mark, TicTacToeBoard, iter_boards
from setrograde.papers.tic_tac_toe_partitions import BoardPattern, TicTacToePartitions

BOARDS = list(iter_boards())
GAME = TicTacToePartitions()
VALUE = minimax(GAME)
FIGURE_1 = TicTacToeBoard.from_text("XX. O.. O.X")


def board(text: str) -> TicTacToeBoard:
    return TicTacToeBoard.from_text(text)


def pattern(text: str) -> BoardPattern:
    return BoardPattern.from_text(text)


# Sets of boards as whole numbers, a bit a board: apart from the code under test, and quick.


def bits_where(holds: Callable[[TicTacToeBoard], bool]) -> int:
    return sum(1 << number for number, each in enumerate(BOARDS) if holds(each))


SHOWING = {
    (square, cell): bits_where(lambda each, s=square, c=cell: each.cells[s] == c)
    for square in range(9)
    for cell in "XO."
}
MOVING = {mark: bits_where(lambda each, m=mark: each.to_move is m) for mark in (*Mark, None)}
WORTH = {value: bits_where(lambda each, v=value: VALUE(each) == v) for value in (0.0, 0.5, 1.0)}


def bits_of(positions: BoardPattern) -> int:
    bits = MOVING[positions.to_move]
    for square, cell in enumerate(positions.cells):
        bits &= SHOWING[square, cell] if cell != "?" else bits
    return bits


@cache
def boards_in(positions: BoardPattern) -> frozenset[TicTacToeBoard]:
    bits = bits_of(positions)
    return frozenset(each for number, each in enumerate(BOARDS) if bits >> number & 1)


def assert_sound(verdict: Verdict[BoardPattern]) -> None:
    """Every board in the set is worth what the verdict says."""
    bits = bits_of(verdict.positions)
    allowed = sum(w for value, w in WORTH.items() if verdict.lower <= value <= verdict.upper)
    assert bits and not bits & ~allowed, verdict


# The reductions of the paper's Figure 1.


def test_a_row_on_top_is_a_win_whatever_stands_below() -> None:
    assert GAME.generalise(board("XXX OO. O.X")) == pattern("XXX ??? ???, over")


def test_two_on_top_with_the_move_is_a_win_whatever_stands_below() -> None:
    verdict = PartitionSearch(GAME).solve(board("XX. OO. O.X"))
    assert (verdict.value, verdict.positions) == (1.0, pattern("XX. ??? ???, X to move"))


def test_the_diagonal_is_a_win_whatever_stands_beside() -> None:
    verdict = PartitionSearch(GAME).solve(board("XXO O.. O.X"))
    assert (verdict.value, verdict.positions) == (1.0, pattern("X?? ?.? ??X, X to move"))


def test_two_threats_win_though_the_other_side_moves() -> None:
    verdict = PartitionSearch(GAME).solve(FIGURE_1)
    assert (verdict.value, verdict.positions) == (1.0, pattern("XX. ?.. ??X, O to move"))


def test_two_threats_do_not_win_against_a_row_through_the_centre() -> None:
    assert VALUE(board("XX. O.O ..X")) == 0.0
    assert board("XX. O.O ..X") not in PartitionSearch(GAME).solve(FIGURE_1).positions


def test_one_search_of_figure_1_answers_its_whole_set() -> None:
    search = PartitionSearch(GAME)
    members = list(search.solve(FIGURE_1).positions)
    expanded = search.statistics.expanded
    assert set(map(str, members)) == {"XX. O.. O.X", "XX. O.. .OX", "XX. ... OOX"}
    assert all(search.solve(member).value == 1.0 for member in members)
    assert search.statistics.expanded == expanded


# What a pattern means.


def test_a_set_with_a_player_to_move_holds_no_finished_board() -> None:
    finished = board("XX. OOO X..")
    assert finished.cells.startswith("XX.")
    assert finished not in pattern("XX. ??? ???, X to move")
    assert finished in pattern("XX. ??? ???, over")


def test_a_set_with_a_player_to_move_holds_no_board_where_the_other_moves() -> None:
    assert board("XX. O.. ...") in pattern("XX. ??? ???, O to move")
    assert board("XX. O.. ...") not in pattern("XX. ??? ???, X to move")


SETS = [
    pattern(text)
    for text in (
        "XX. ??? ???, X to move", "??? ?O? ???, X to move", "X?? ??. ???, X to move",
        "O?? ??? ???, X to move", "??? ??? ???, O to move", "??? ??? ???, over",
        "XXX ??? ???, over",
    )
]  # fmt: skip


def test_a_pattern_holds_the_boards_that_show_its_squares_and_its_player() -> None:
    for positions in SETS:
        assert {each for each in BOARDS if each in positions} == boards_in(positions)
        assert set(positions) == boards_in(positions)


def test_intersection_of_patterns_is_that_of_sets() -> None:
    for a, b in product(SETS, repeat=2):
        both = a & b
        inside = boards_in(both) if both != BoardPattern.EMPTY else frozenset()
        assert inside == boards_in(a) & boards_in(b)
    assert SETS[0] & SETS[3] == SETS[0] & SETS[4] == BoardPattern.EMPTY
    assert SETS[0] & BoardPattern.EMPTY == BoardPattern.EMPTY
    assert not any(each in BoardPattern.EMPTY for each in BOARDS)


def test_patterns_are_read_back_from_their_text() -> None:
    for text in ("XX. ??? ???, X to move", "??? ?O? ???, O to move", "XXX ??? ???, over"):
        assert str(pattern(text)) == text
        assert eval(repr(pattern(text))) == pattern(text)
        assert pattern(text.lower().replace(" ", "  ")) == pattern(text)


@pytest.mark.parametrize(
    "text", ["", "XX. ??? ???", "XX. ??? ???, Z to move", "XX? ???, over", "XXZ ??? ???, over"]
)
def test_text_that_is_no_pattern_is_quoted(text: str) -> None:
    with pytest.raises(InvalidPosition, match="not a pattern"):
        pattern(text)


def test_p_keeps_to_definition_7_on_every_finished_board() -> None:
    for each in BOARDS:
        if each.is_over:
            own = boards_in(GAME.generalise(each))
            assert each in own
            assert {GAME.evaluate(other) for other in own} == {GAME.evaluate(each)}


def test_r_and_c_keep_to_definition_7_with_the_sets_a_search_makes() -> None:
    search = PartitionSearch(GAME)
    after = {each: frozenset(GAME.successors(each)) for each in BOARDS}
    for each in [each for each in BOARDS if not each.is_over][::3]:
        successors = GAME.successors(each)
        sets = [search.search(successor).positions for successor in successors]
        for successor, target in zip(successors, sets, strict=True):
            reaching = boards_in(GAME.can_reach(each, successor, target))
            assert each in reaching
            assert not any(boards_in(target).isdisjoint(after[other]) for other in reaching)
        constrained = boards_in(GAME.must_reach(each, sets))
        assert each in constrained
        union = frozenset[TicTacToeBoard]().union(*map(boards_in, sets))
        assert all(after[other] <= union for other in constrained)


def test_a_move_that_fills_the_board_does_not_pass_the_turn() -> None:
    before, target = board("O.X .O. ..X"), pattern("O?? ?O? ???, O to move")
    last = board("O.X XOO XOX")
    assert last.play(1).is_over
    reaching = GAME.can_reach(before, before.play(1), target)
    assert before in reaching and last not in reaching


# Every board.


def test_full_windows_agree_with_minimax_and_give_uniform_sets_on_every_board() -> None:
    for each in BOARDS:
        verdict = PartitionSearch(GAME).search(each)
        assert verdict.value == VALUE(each)
        assert each in verdict.positions
        assert_sound(verdict)


@pytest.mark.parametrize(
    "first_guess",
    [pytest.param(0.0, marks=pytest.mark.slow), 0.5, pytest.param(1.0, marks=pytest.mark.slow)],
)
def test_zero_windows_agree_with_minimax_and_give_uniform_sets_on_every_board(
    first_guess: float,
) -> None:
    for each in BOARDS:
        verdict = PartitionSearch(GAME).solve(each, first_guess=first_guess)
        assert verdict.value == VALUE(each)
        assert each in verdict.positions
        assert_sound(verdict)


@pytest.mark.parametrize("boards", [BOARDS, BOARDS[::-1]], ids=["forwards", "backwards"])
def test_one_table_serves_every_board_and_every_window(boards: list[TicTacToeBoard]) -> None:
    search = PartitionSearch(GAME)
    windows = [(0.0, 0.5), (0.5, 1.0), (0.25, 0.75), (0.0, 1.0), (0.5, math.nextafter(0.5, 1))]
    for number, each in enumerate(boards):
        verdict = search.search(each, window=windows[number % len(windows)])
        assert verdict.lower <= VALUE(each) <= verdict.upper
        assert verdict.settles(*windows[number % len(windows)])
        assert search.solve(each).value == VALUE(each)
    assert search.statistics.entries == len(list(search.iter_verdicts()))
    for verdict in search.iter_verdicts():
        assert_sound(verdict)


def test_every_set_in_the_table_of_the_empty_board_is_uniform() -> None:
    for use_windows in (False, True):
        search = PartitionSearch(GAME)
        _ = search.solve(TicTacToeBoard()) if use_windows else search.search(TicTacToeBoard())
        for verdict in search.iter_verdicts():
            assert_sound(verdict)


@pytest.mark.parametrize("window", [(0.0, 0.5), (0.5, 1.0), (0.25, 0.75)])
def test_a_window_answers_within_or_bounds_beyond(window: tuple[float, float]) -> None:
    x, y = window
    for each in BOARDS[::7]:
        verdict = PartitionSearch(GAME).search(each, window=window)
        value = VALUE(each)
        assert verdict.lower <= value <= verdict.upper
        assert (verdict.upper <= x) == (value <= x)
        assert (verdict.lower >= y) == (value >= y)
        if x < value < y:
            assert verdict.value == value


# What it costs.


@pytest.mark.parametrize("first_guess", [None, 0.0, 0.5, 1.0])
def test_sets_beat_single_positions_which_beat_minimax(first_guess: float | None) -> None:
    expanded = []
    for game in (TicTacToePartitions(), SinglePositions(TicTacToePartitions())):
        search = PartitionSearch(game)
        if first_guess is None:
            search.search(TicTacToeBoard())
        else:
            search.solve(TicTacToeBoard(), first_guess=first_guess)
        expanded.append(search.statistics.expanded)
    assert 2 * expanded[0] < expanded[1]
    assert 2 * expanded[1] < minimax_nodes(GAME, TicTacToeBoard())[1]


def test_minimax_visits_the_known_number_of_positions() -> None:
    # 549,946 positions in all, of which 255,168 end a game.
    assert minimax_nodes(GAME, TicTacToeBoard()) == (549_946, 549_946 - 255_168)


def test_single_positions_agree_with_minimax() -> None:
    search = PartitionSearch(SinglePositions(GAME))
    for each in BOARDS:
        assert search.solve(each).value == VALUE(each)
    assert search.statistics.entries == len(BOARDS)


def test_statistics_account_for_every_position_visited() -> None:
    search = PartitionSearch(SinglePositions(GAME))
    search.search(FIGURE_1)
    stats = search.statistics
    stored = [each for verdict in search.iter_verdicts() for each in verdict.positions]
    assert stats.entries == len(stored)
    assert stats.expanded == sum(not each.is_over for each in stored)
    assert stats.visited == stats.hits + len(stored)


def test_a_second_question_is_answered_by_the_table() -> None:
    search = PartitionSearch(GAME)
    first = search.solve(TicTacToeBoard())
    before = search.statistics
    assert search.solve(TicTacToeBoard()).value == first.value
    assert search.statistics.expanded == before.expanded
    assert search.statistics.hits > before.hits


class Watched(TicTacToePartitions):
    """Without an index, unless `indexed`."""

    def __init__(self, *, indexed: bool) -> None:
        self.indexed = indexed

    def bucket(self, positions: BoardPattern) -> tuple[str, ...]:
        return super().bucket(positions) if self.indexed else ()

    def buckets(self, position: TicTacToeBoard) -> Iterable[tuple[str, ...]]:
        return super().buckets(position) if self.indexed else [()]


def test_the_index_saves_most_comparisons_and_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0
    plain = BoardPattern.__contains__

    def counted(self: BoardPattern, each: TicTacToeBoard) -> bool:
        nonlocal asked
        asked += 1
        return plain(self, each)

    monkeypatch.setattr(BoardPattern, "__contains__", counted)
    counts = []
    for indexed in (True, False):
        asked = 0
        assert PartitionSearch(Watched(indexed=indexed)).solve(TicTacToeBoard()).value == 0.5
        counts.append(asked)
    assert 5 * counts[0] < counts[1]


# Games made to trip it.


class Tree(Game[str]):
    """A game written out: positions by name."""

    def __init__(self, moves: dict[str, str], values: dict[str, Player | float]) -> None:
        self.moves, self.values = moves, values

    def successors(self, position: str) -> Sequence[str]:
        return list(self.moves.get(position, ""))

    def evaluate(self, position: str) -> Player | float:
        return self.values[position]


class Alike(PartitionGame[str, frozenset[str]]):
    """A tree whose R and C return the sets they are told to, or the position alone."""

    def __init__(
        self,
        tree: Tree,
        *,
        leaves: dict[str, str] | None = None,
        reach: dict[str, str] | None = None,
        must: dict[str, str] | None = None,
    ) -> None:
        self.tree, self.leaves = tree, leaves or {}
        self.reach, self.must = reach or {}, must or {}

    def successors(self, position: str) -> Sequence[str]:
        return self.tree.successors(position)

    def evaluate(self, position: str) -> Player | float:
        return self.tree.evaluate(position)

    def generalise(self, position: str) -> frozenset[str]:
        return frozenset(self.leaves.get(position, position))

    def can_reach(self, position: str, successor: str, positions: frozenset[str]) -> frozenset[str]:
        assert successor in positions and successor in self.successors(position)
        return frozenset(self.reach.get(position, position))

    def must_reach(self, position: str, union: Sequence[frozenset[str]]) -> frozenset[str]:
        successors = self.successors(position)
        assert all(each in own for each, own in zip(successors, union, strict=True))
        return frozenset(self.must.get(position, position))


def test_the_best_move_and_the_absence_of_better_ones_are_both_needed() -> None:
    # Both p and q can reach c, both p and r stay within c and d: only p does both.
    tree = Tree(
        {"p": "cd", "q": "ce", "r": "d"},
        {"p": Player.MAX, "q": Player.MAX, "r": Player.MAX, "c": 0.5, "d": 0.25, "e": 0.75},
    )
    search = PartitionSearch(Alike(tree, reach={"p": "pq"}, must={"p": "pr"}))
    assert search.search("p") == Verdict(frozenset("p"), 0.5, 0.5)
    assert [search.search(each).value for each in "qr"] == [0.75, 0.25]
    zero = PartitionSearch(Alike(tree, reach={"p": "pq"}, must={"p": "pr"}))
    below = math.nextafter(0.5, 0)
    assert zero.search("p", window=(below, 0.5)) == Verdict(frozenset("pq"), 0.5, 1.0)
    assert zero.search("p", window=(0.5, 0.6)) == Verdict(frozenset("pr"), 0.0, 0.5)
    assert [zero.solve(each).value for each in "pqr"] == [0.5, 0.75, 0.25]


def test_a_bound_from_a_narrow_window_is_not_taken_for_a_value() -> None:
    tree = Tree({"p": "ab"}, {"p": Player.MAX, "a": 0.5, "b": 0.75})
    search = PartitionSearch(SinglePositions(tree))
    assert search.search("p", window=(0.25, 0.5)) == Verdict(frozenset("p"), 0.5, 1.0)
    assert search.search("p").value == 0.75


def test_bounds_on_one_set_are_joined() -> None:
    tree = Tree({"p": "ab"}, {"p": Player.MIN, "a": 0.5, "b": 0.75})
    search = PartitionSearch(SinglePositions(tree))
    search.search("p", window=(0.25, 0.5))
    search.search("p", window=(0.5, 0.6))
    assert Verdict(frozenset("p"), 0.5, 0.5) in list(search.iter_verdicts())
    assert search.statistics.entries == 3


@pytest.mark.parametrize("value", [0, 1, 0.0, 5e-324, 0.3, math.nextafter(1, 0), 1.0])
def test_extreme_values_and_guesses_are_solved(value: float) -> None:
    tree = Tree({"p": "a", "q": "ab"}, {"p": Player.MAX, "q": Player.MIN, "a": value, "b": 1.0})
    for guess in (0.0, 5e-324, 0.5, math.nextafter(1, 0), 1.0):
        search = PartitionSearch(SinglePositions(tree))
        assert [search.solve(each, first_guess=guess).value for each in "apq"] == [value] * 3


@pytest.mark.parametrize("window", [(0.5, 0.5), (0.75, 0.25), (-1, 1), (0, 2), (math.nan, 1)])
def test_a_window_outside_0_to_1_is_refused(window: tuple[float, float]) -> None:
    with pytest.raises(InvalidWindow, match="not a window") as caught:
        PartitionSearch(GAME).search(TicTacToeBoard(), window=window)
    assert isinstance(caught.value, InvalidInput)


@pytest.mark.parametrize("guess", [-0.1, 1.1, math.nan])
def test_a_guess_outside_0_to_1_is_refused(guess: float) -> None:
    with pytest.raises(InvalidWindow, match="not a guess"):
        PartitionSearch(GAME).solve(TicTacToeBoard(), first_guess=guess)


@pytest.mark.parametrize("value", [-0.5, 1.5, math.nan, math.inf])
def test_a_value_outside_0_to_1_is_refused(value: float) -> None:
    tree = Tree({"p": "a"}, {"p": Player.MAX, "a": value})
    with pytest.raises(InvalidGame, match=r"not a value: .* of 'a'"):
        PartitionSearch(SinglePositions(tree)).search("p")


def test_a_player_without_moves_is_refused() -> None:
    tree = Tree({"p": "a"}, {"p": Player.MAX, "a": Player.MIN})
    with pytest.raises(InvalidGame, match=r"no successors of 'a' .* found Player\.MIN"):
        PartitionSearch(SinglePositions(tree)).search("p")


@pytest.mark.parametrize("window", [(0.0, 0.5), (0.0, 1.0), (0.5, 1.0)])
@pytest.mark.parametrize("wrong", ["leaves", "reach", "must"])
def test_a_set_without_its_own_position_is_refused(wrong: str, window: tuple[float, float]) -> None:
    tree = Tree({"p": "a"}, {"p": Player.MAX, "a": 0.5})
    game = Alike(tree, **{wrong: {"a": "b", "p": "b"}})
    if (wrong, window) in (("reach", (0.5, 1.0)), ("must", (0.0, 0.5))):
        assert PartitionSearch(game).search("p", window=window).positions == frozenset("p")
        return
    with pytest.raises(InvalidGame, match="is not in its own set"):
        PartitionSearch(game).search("p", window=window)


def test_sets_that_contradict_each_other_are_reported() -> None:
    # R says that p is like q, C that it is like r; no position is like both.
    tree = Tree(
        {"p": "a", "q": "a", "r": "b"},
        {"p": Player.MAX, "q": Player.MAX, "r": Player.MAX, "a": 0.5, "b": 0.25},
    )
    search = PartitionSearch(Alike(tree, reach={"q": "qp"}, must={"r": "rp"}))
    assert search.search("q", window=(0.3, 0.4)) == Verdict(frozenset("qp"), 0.5, 1.0)
    assert search.search("r", window=(0.5, 0.6)) == Verdict(frozenset("rp"), 0.0, 0.25)
    with pytest.raises(InvalidGame, match=r"'p' is worth at least 0\.5 and at most 0\.25"):
        search.solve("p", first_guess=0.45)


def test_buckets_may_be_left_out() -> None:
    game: PartitionGame[str, frozenset[str]] = Alike(Tree({}, {"a": 0.5}))
    found: Hashable = game.bucket(frozenset("a"))
    assert found in game.buckets("a")


def test_crosses_maximise() -> None:
    assert GAME.evaluate(TicTacToeBoard()) is Player.MAX
    assert GAME.evaluate(board("X.. ... ...")) is Player.MIN
    assert GAME.evaluate(board("OOO XX. X..")) == 0.0
    assert GAME.evaluate(board("XOX XOO OXX")) == 0.5
    assert board("X.. ... ...").to_move is Mark.NOUGHT


class Chain(Game[int]):
    """One long line of forced moves; the last one decides."""

    def successors(self, position: int) -> list[int]:
        return [position - 1] if position else []

    def evaluate(self, position: int) -> Player | float:
        if position == 0:
            return 1.0
        return Player.MAX if position % 2 else Player.MIN


def test_a_game_may_be_longer_than_the_stack_of_python() -> None:
    search = PartitionSearch(SinglePositions(Chain()))
    length = 20 * sys.getrecursionlimit()
    assert search.solve(length).value == 1.0
    assert search.statistics.entries == length + 1


def test_a_long_search_that_fails_can_be_asked_again() -> None:
    class Broken(Chain):
        is_broken = True

        def successors(self, position: int) -> list[int]:
            if position == 5 and self.is_broken:
                raise ZeroDivisionError
            return super().successors(position)

    game = Broken()
    search = PartitionSearch(SinglePositions(game))
    with pytest.raises(ZeroDivisionError):
        search.solve(3_000)
    game.is_broken = False
    assert search.solve(3_000).value == 1.0
