"""Stored work is of use as long as the rules stay: other rules are another game."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from setrograde.games import Amazons, BoardGame, Nim, Step, make_game
from setrograde.games.fingerprint import rules_fingerprint
from setrograde.sets import BoardSet, Move, Moves, load_sets, save_sets
from setrograde.solve.boards import (
    GameStore,
    WrongSolution,
    open_game,
    solve_by_grades,
    solve_game,
    solve_retrograde,
)


class OwnNim(Nim):
    """Nim whose rules a test can change."""

    most = 9
    """The most stones that may be taken at once."""

    taken_to = ""
    """A board on which the player to move has lost."""

    first = ""

    def make_moves(self, player: int) -> Moves:
        moves = []
        for move in super().make_moves(player)._moves:
            (change,) = move.changes
            pairs = [(a, b) for a, b in change.pairs if int(a) - int(b) <= self.most]
            moves += [Move((type(change)(change.place, tuple(pairs)),))]
        return Moves(self.space, moves)

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        for step in super().iter_steps(board, player):
            if sum(map(int, board)) - sum(map(int, step.board)) <= self.most:
                yield step

    def lost(self, player: int) -> BoardSet:
        return self.space.of([self.taken_to] if self.taken_to else [])

    @property
    def start(self) -> str:
        return self.first or super().start


class StuckNim(OwnNim):
    stuck_wins = True


class LegalNim(OwnNim):
    def legal(self, player: int) -> BoardSet:
        return self.space.everything - self.space.of(["000"])


class OneSidedNim(OwnNim):
    def mirrored(self, board: str) -> None:  # type: ignore[override]
        return None


def changed(kind: str) -> OwnNim:
    """The game with one rule changed."""
    made = {"stuck": StuckNim, "legal": LegalNim, "mirrored": OneSidedNim}.get(kind, OwnNim)
    game = made([3, 3] if kind == "letters" else [3, 3, 3])
    game.size = "3,3,3"
    if kind == "moves":
        game.most = 2
    if kind == "lost":
        game.taken_to = "111"
    if kind == "start":
        game.first = "332"
    return game


KINDS = ["moves", "lost", "start", "letters", "stuck", "legal", "mirrored"]


class Killed(Exception):
    pass


def kill(report: object) -> None:
    raise Killed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distances", [True, False])
def test_a_solution_of_other_rules_is_refused(tmp_path: Path, kind: str, distances: bool) -> None:
    store = GameStore(tmp_path)
    solve_game(OwnNim([3, 3, 3]), store=store, distances=distances)
    with pytest.raises(WrongSolution, match="setrograde game solve nim 3,3,3 --force"):
        solve_game(changed(kind), store=store, distances=distances)
    with pytest.raises(WrongSolution, match="--force"):
        store.open(changed(kind))
    with pytest.raises(WrongSolution, match="--force"):
        open_game(changed(kind), store=store)
    solution = solve_game(changed(kind), store=store, distances=distances, force=True)
    fresh = solve_game(changed(kind), distances=distances)
    assert str(solution) == str(fresh) and str(store.open(changed(kind))) == str(fresh)


@pytest.mark.parametrize("kind", KINDS)
def test_plies_of_other_rules_are_not_gone_on_with(tmp_path: Path, kind: str) -> None:
    store = GameStore(tmp_path)
    with pytest.raises(Killed):
        solve_game(OwnNim([3, 3, 3]), store=store, progress=kill)
    with pytest.raises(WrongSolution, match="--force"):
        solve_game(changed(kind), store=store)
    assert list(store.parts(OwnNim([3, 3, 3])).glob("*.sets"))
    solution = solve_game(changed(kind), store=store, force=True)
    assert str(solution) == str(solve_game(changed(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_grades_of_other_rules_are_not_gone_on_with(tmp_path: Path, kind: str) -> None:
    store = GameStore(tmp_path)
    game = changed(kind)
    with pytest.raises(Killed):
        solve_game(OwnNim([3, 3, 3]), store=store, distances=False, progress=kill)
    with pytest.raises(WrongSolution, match="--force"):
        solve_game(game, store=store, distances=False)
    solution = solve_game(game, store=store, distances=False, force=True)
    assert str(solution) == str(solve_game(changed(kind), distances=False))


def test_the_same_rules_go_on(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    with pytest.raises(Killed):
        solve_game(OwnNim([3, 3, 3]), store=store, progress=kill)
    assert solve_game(Nim([3, 3, 3]), store=store).winner == 0


def test_other_weights_are_other_grades(tmp_path: Path) -> None:
    solve_by_grades(Nim([3, 3]), folder=tmp_path)
    game = Nim([3, 3])
    assert game.letter_weights is not None
    game.letter_weights = [
        {a: n + (n > 0) for a, n in each.items()} for each in game.letter_weights
    ]
    with pytest.raises(WrongSolution, match="made by other rules"):
        solve_by_grades(game, folder=tmp_path)


def test_plies_of_other_boards_are_not_gone_on_with(tmp_path: Path) -> None:
    game = Nim([3, 3, 3])
    with pytest.raises(Killed):
        solve_retrograde(game, parts=tmp_path, progress=kill)
    some = game.space.with_sum(game.letter_weights or [], least=0, most=4)
    with pytest.raises(WrongSolution, match="other rules"):
        solve_retrograde(game, legal=(some, some), parts=tmp_path)


def test_a_solution_of_other_boards_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    game = Nim([3, 3, 3])
    some = game.space.with_sum(game.letter_weights or [], least=0, most=4)
    solve_game(game, legal=(some, some), store=store)
    with pytest.raises(WrongSolution, match="other boards"):
        solve_game(game, store=store)
    assert solve_game(game, legal=(some, some), store=store).legal[0] == some
    assert solve_game(game, store=store, force=True).legal[0] == game.space.everything


# --- files of earlier versions ---


def forget_rules(path: Path) -> None:
    """Rewrite a file as earlier versions did."""
    found = load_sets(path)
    about = {k: v for k, v in found.about.items() if k not in ("rules", "grading", "legal")}
    save_sets(path, found.sets, about=about)


def test_an_older_solution_is_read_with_a_warning(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    solve_game("nim", "3,3", store=store)
    forget_rules(store.path(Nim([3, 3])))
    with pytest.warns(UserWarning, match="check it with: setrograde game verify nim 3,3"):
        assert open_game("nim", "3,3", store=store).winner == 1


def test_older_grades_are_read_with_one_warning(tmp_path: Path) -> None:
    solve_by_grades(Nim([3, 3]), folder=tmp_path)
    for path in tmp_path.glob("*.sets"):
        forget_rules(path)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        solve_by_grades(Nim([3, 3]), folder=tmp_path).tally()
    assert len({str(each.message) for each in told}) <= 2


def test_older_unfinished_work_is_refused(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    with pytest.raises(Killed):
        solve_game("nim", "3,3", store=store, progress=kill)
    (path,) = store.parts(Nim([3, 3])).glob("*.sets")
    forget_rules(path)
    with pytest.raises(WrongSolution, match="left by an earlier version"):
        solve_game("nim", "3,3", store=store)
    assert solve_game("nim", "3,3", store=store, force=True).winner == 1


# --- fingerprints ---


@pytest.mark.parametrize("name", ["nim", "tic-tac-toe", "breakthrough", "connect4", "chess"])
def test_fingerprints_are_the_same_for_the_same_rules(name: str) -> None:
    sizes = {"nim": "3,4", "chess": "KQK", "tic-tac-toe": "3x3"}
    size = sizes.get(name, "4x4")
    one, other = make_game(name, size), make_game(name, size, limit_mb=99)
    solve_some(one)  # sets in the space change nothing
    assert rules_fingerprint(one) == rules_fingerprint(other)


def solve_some(game: BoardGame) -> None:
    game.moves(0).forward(game.space.of([game.start]))


def test_fingerprints_of_moves_in_steps_are_the_same_and_differ() -> None:
    assert rules_fingerprint(Amazons(4, 4)) == rules_fingerprint(Amazons(4, 4))
    assert rules_fingerprint(Amazons(4, 5)) != rules_fingerprint(Amazons(5, 4))


def test_the_fingerprint_of_nim_stays() -> None:
    """If this changes, every stored solution is refused: only with a new version of the format."""
    assert rules_fingerprint(Nim([2, 3])) == "236ef9882136682c7b1c98833b3c28cc"


def test_each_rule_changes_the_fingerprint() -> None:
    prints = [rules_fingerprint(changed(kind)) for kind in KINDS]
    prints.append(rules_fingerprint(OwnNim([3, 3, 3])))
    assert len(set(prints)) == len(KINDS) + 1


# --- files and their permissions ---


@pytest.mark.parametrize("mask", [0o022, 0o002, 0o077])
def test_files_have_the_permissions_of_the_mask(tmp_path: Path, mask: int) -> None:
    store = GameStore(tmp_path)
    before = os.umask(mask)
    try:
        solve_game("nim", "2,2", store=store)
        solve_game("nim", "2,2", store=store, distances=False)
    finally:
        os.umask(before)
    files = list(tmp_path.rglob("*.sets"))
    assert len(files) > 2
    assert {path.stat().st_mode & 0o777 for path in files if path.is_file()} == {0o666 & ~mask}
