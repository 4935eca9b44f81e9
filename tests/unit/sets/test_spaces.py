"""Spaces and sets: what is refused, memory, large numbers."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable

import pytest

from setrograde.games.amazons import Amazons
from setrograde.games.breakthrough import Breakthrough
from setrograde.sets import (
    BoardSet,
    BoardSpace,
    Change,
    InvalidPlacement,
    InvalidSet,
    Move,
    MoveGraph,
    Moves,
    OutOfRoom,
)
from setrograde.solve.boards import (
    solve_by_grades,
    verify_solution,
)


@pytest.mark.parametrize("alphabets", [[], ["ab", ""], ["aa"], ["ab"] * 257, ["ab" * 40]])
def test_alphabets_that_make_no_board_are_refused(alphabets: list[str]) -> None:
    with pytest.raises(InvalidSet):
        BoardSpace(alphabets)


@pytest.mark.parametrize("board", ["", "a", "abc", "ac", 7, None])
def test_what_is_no_board_is_in_no_set_and_makes_none(board: object) -> None:
    space = BoardSpace(["ab"] * 2)
    assert board not in space.everything
    with pytest.raises(InvalidPlacement):
        space.of([board])  # type: ignore[list-item]


def test_the_memory_of_a_solved_game_goes_with_its_last_name() -> None:
    gc.disable()  # gigabytes must not wait for the collector of cycles
    try:
        solution = solve_by_grades(Amazons(4, 4))
        assert verify_solution(solution, samples=10).is_right
        space = weakref.ref(solution.game.space)
        del solution
        assert space() is None
    finally:
        gc.enable()


def test_sets_of_two_spaces_do_not_mix() -> None:
    one, other = BoardSpace(["ab"]), BoardSpace(["ab"])
    with pytest.raises(InvalidSet, match="different spaces"):
        one.everything | other.everything
    with pytest.raises(TypeError):
        one.everything | {"a"}  # type: ignore[operator]


def test_sets_too_large_for_len_have_a_count() -> None:
    everything = BoardSpace([".xo"] * 64).everything
    assert everything.count == 3**64
    with pytest.raises(OverflowError, match=r"use \.count"):
        len(everything)
    assert everything[3**63] == "x" + "." * 63


def test_a_space_beyond_its_memory_says_so_and_its_sets_stay_good() -> None:
    space = BoardSpace([".xo"] * 30, limit_mb=1)
    kept = space.with_count("x", least=3, most=3)
    with pytest.raises(OutOfRoom, match="did not fit in 1 MB"):
        space.of(space.everything.sample(20_000, seed=1))
    assert kept.count == 4060 * 2**27
    assert space.forest.bytes <= 1 << 20
    assert (kept & space.at(0, "x")).count == 406 * 2**27


def test_what_no_set_needs_is_swept() -> None:
    space = BoardSpace([".xo"] * 12)
    kept = space.with_count("x", least=3)
    space.of(space.everything.sample(2000, seed=1))
    before = space.forest.nodes
    space.forest.sweep()
    assert space.forest.nodes == kept.nodes < before
    assert kept == space.with_count("x", least=3)


def test_a_set_may_be_used_from_several_threads() -> None:
    space = BoardSpace([".xo"] * 10)
    counts = []

    def work(seed: int) -> None:
        some = space.of(space.everything.sample(500, seed=seed))
        counts.append(((some | ~some) - some).count + some.count)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [3**10] * 6


@pytest.mark.parametrize(
    "changes",
    [
        (Change(2, (("a", "b"),)),),
        (Change(0, (("a", "c"),)),),
        (Change(0, (("a", "b"),)), Change(0, (("b", "a"),))),
    ],
)
def test_moves_off_the_board_are_refused(changes: tuple[Change, ...]) -> None:
    with pytest.raises(InvalidSet):
        Moves(BoardSpace(["ab"] * 2), [Move(changes)])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda space: space.at(0, "z"), "not a letter of place 0: 'z' (expected one of '.x')"),
        (lambda space: space.at(1, "xz"), "not a letter of place 1: 'z'"),
        (lambda space: space.with_count("X"), "not a letter of these places: 'X'"),
        (lambda space: space.with_count("o", places=[0]), "not a letter of place 0: 'o'"),
    ],
)
def test_letters_that_no_place_has_are_refused(
    make: Callable[[BoardSpace], BoardSet], told: str
) -> None:
    with pytest.raises(InvalidSet) as error:
        make(BoardSpace([".x", ".xo"]))
    assert told in str(error.value)


def test_a_letter_that_some_places_have_is_counted_there() -> None:
    space = BoardSpace([".x", ".xo"])
    assert list(space.with_count("o", least=1)) == [".o", "xo"]
    assert not space.at(0, "") and not space.with_count("", least=1)
    assert space.with_count("z", places=[]) == space.everything


def test_no_moves_lead_nowhere() -> None:
    space = BoardSpace(["ab"] * 2)
    assert not Moves(space, []).forward(space.everything)
    assert not Moves(space, []).reverse(space.everything)


def test_a_move_that_changes_nothing_leads_to_where_it_was() -> None:
    space = BoardSpace(["ab"] * 2)
    assert Moves(space, [Move(())]).forward(space.at(0, "a")) == space.at(0, "a")


def test_steps_in_a_circle_are_refused() -> None:
    with pytest.raises(InvalidSet, match="circle"):
        MoveGraph(BoardSpace(["ab"]), {("a", "b"): [], ("b", "a"): []})


def test_sums_count_what_each_place_gives_a_letter() -> None:
    space = BoardSpace([".xo", ".x", "xo", ".xo"])
    weights = [{"x": 2, "o": -1}, {"x": 3}, {"x": 1, "o": 4}, {".": 1}]
    boards = list(space.everything)
    for least, most in ((0, 0), (3, 5), (-1, 2), (9, 30), (4, 3), (-(10**9), 10**9)):
        expected = [
            board
            for board in boards
            if least <= sum(w.get(a, 0) for w, a in zip(weights, board, strict=True)) <= most
        ]
        assert list(space.with_sum(weights, least=least, most=most)) == expected


def test_weights_that_do_not_fit_are_refused() -> None:
    space = BoardSpace([".x"] * 2)
    with pytest.raises(InvalidSet, match="weights for 1 places"):
        space.with_sum([{"x": 1}], least=0, most=1)
    with pytest.raises(InvalidSet, match="a weight of 1001"):
        space.with_sum([{"x": 1001}] * 2, least=0, most=1)


def test_moves_parted_by_drop_are_all_the_moves() -> None:
    game = Breakthrough(3, 4)
    assert game.letter_weights is not None
    moves = game.moves(0)
    parts = moves.by_drop(game.letter_weights)
    assert sorted(parts) == [1, 2, 3, 4]
    some = game.space.of(game.space.everything.sample(500, seed=1))
    assert game.space.union(part.forward(some) for part in parts.values()) == moves.forward(some)
    grade = game.space.with_sum(game.letter_weights, least=9, most=9)
    for drop, part in parts.items():
        reached = part.forward(grade)
        assert reached
        assert reached <= game.space.with_sum(game.letter_weights, least=9 - drop, most=9 - drop)


def test_a_graph_whose_ways_drop_differently_is_refused() -> None:
    space = BoardSpace([".xo*"])
    lift = [Move((Change(0, (("x", "*"), ("o", "*"))),))]
    drop = [Move((Change(0, (("*", "."),)),))]
    graph = MoveGraph(space, {("begin", "held"): lift, ("held", "end"): drop})
    with pytest.raises(InvalidSet, match=r"lower the grade by \[1, 2\]"):
        graph.by_drop([{"x": 1, "o": 2}])


@pytest.mark.parametrize("size", [(3, 5), (5, 4)])
def test_moves_undone_together_are_those_undone_one_after_another(size: tuple[int, int]) -> None:
    game = Breakthrough(*size)
    assert game.letter_weights is not None
    for player in (0, 1):
        parts = game.moves(player).by_drop(game.letter_weights)
        some = [game.space.everything.sample(300, seed=drop) for drop in parts]
        sets = [game.moves(1 - player).reverse(game.space.of(boards)) for boards in some]
        sets[1] = ~sets[1]
        pairs = list(zip(parts.values(), sets, strict=True))
        expected = game.space.union([moves.reverse(boards) for moves, boards in pairs])
        assert Moves.reverse_all(pairs) == expected
        assert Moves.reverse_all(pairs[:1]) == pairs[0][0].reverse(pairs[0][1])


def test_moves_made_on_different_boards_are_not_undone_together() -> None:
    space = BoardSpace([".x"] * 2)
    move = Move((Change(0, (("x", "."),)),))
    one, other = Moves(space, [move]), Moves(space, [move], before=space.at(1, "x"))
    with pytest.raises(InvalidSet, match="different boards"):
        Moves.reverse_all([(one, space.everything), (other, space.everything)])
    with pytest.raises(InvalidSet, match="no moves to undo"):
        Moves.reverse_all([])


def test_steps_kept_to_some_boards_are_those_made_on_them() -> None:
    """All steps of a way to move, so also the boards between them."""
    game = Amazons(4, 4)
    moves = game.moves(0)
    for plies in (0, 2, 4):
        boards = game.space.of(game.legal(1).sample(200, seed=plies))
        bound = game.reach_bound(plies)
        assert moves.among(bound).reverse(boards) == moves.reverse(boards) & bound
    assert not moves.among(game.legal(0)).reverse(game.legal(1))  # no board in mid-move is legal
