"""`setrograde game`: solve, probe, verify, play, and what is told when things are wrong."""

from __future__ import annotations

import io
import json
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from setrograde.cli.main import main
from setrograde.games import BoardGame, Nim
from setrograde.sets import OutOfRoom
from setrograde.solve.boards import GameStore


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for words in (["breakthrough", "3x4"], ["nim", "3,4,5"], ["tic-tac-toe", "3x3"]):
        assert main(["game", "solve", *words, "--data", str(folder)]) == 0
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    capsys.readouterr()
    assert main(["game", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def error(capsys: pytest.CaptureFixture[str], status: int, *words: str) -> str:
    capsys.readouterr()
    assert main(["game", *words]) == status
    text = capsys.readouterr().err
    assert text.startswith("setrograde: ") and text.count("\n") == 1
    return text


def test_solve_has_the_promised_keys(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = answer(capsys, "solve", "breakthrough", "4x4", "--data", str(tmp_path))
    assert found["winner"] == 2 and found["plies"] == 14
    assert (found["wins"], found["losses"], found["draws"]) == (8_211_522, 34_835_199, 0)
    assert found["states"] > 1000 and found["seconds"] > 0
    (path,) = (tmp_path / "games").iterdir()
    assert found["bytes"] == path.stat().st_size


def test_a_solved_game_is_not_solved_again(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    capsys.readouterr()
    assert main(["game", "solve", "nim", "3,4,5", "--data", str(data)]) == 0
    assert "solved before" in capsys.readouterr().err


def test_solving_tells_every_ply(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["game", "solve", "breakthrough", "2x4", "--plies", "--data", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("ply   1  player 1 wins ")
    assert "player 2 wins in" in captured.out


def test_list_names_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    names = [game["name"] for game in answer(capsys, "list")["games"]]
    assert {"nim", "tic-tac-toe", "breakthrough", "amazons", "connect4", "chess"} == set(names)
    assert main(["game", "list"]) == 0


def test_probe_gives_moves_best_first(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    found = answer(capsys, "probe", "nim", "3,4,5", "--data", str(data))
    assert (found["value"], found["distance"], found["best"]) == ("win", 11, "1:3-1")
    assert [move["value"] for move in found["moves"]] == ["win"] + ["loss"] * 11
    board = "ooo/.../.x./xxx"
    found = answer(capsys, "probe", "breakthrough", "3x4", "--data", str(data), "--board", board)
    assert found["board"] == board and found["value"] in ("win", "loss")


def test_probe_draws_the_board(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    assert main(["game", "probe", "tic-tac-toe", "3x3", "--data", str(data)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3  . . .") and "player 1 to move: draw" in out


def test_verify_says_how_sure_it_is(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    found = answer(capsys, "verify", "tic-tac-toe", "3x3", "--data", str(data))
    assert found["right"] and found["exhaustive"] and found["boards"] == 5478
    found = answer(capsys, "verify", "breakthrough", "3x4", "--data", str(data), "--samples", "100")
    assert found["right"] and not found["exhaustive"] and 0 < found["fault_bound"] < 0.05
    assert found["drawn"] == found["proved"] == 100 and found["start_proved"]
    assert found["right_at_least"] == pytest.approx(1 - found["fault_bound"])
    assert found["confidence"] == 0.99
    words = ["verify", "nim", "3,4,5", "--data", str(data)]
    found = answer(capsys, *words, "--all")
    assert found["exhaustive"] and found["right_at_least"] == found["confidence"] == 1


def test_play_answers_moves_and_stops_at_the_end(
    capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nnonsense\n1:3-1\n"))
    words = ["game", "play", "nim", "3,4,5", "--data", str(data)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "not a move: 'nonsense'" in out and "player 2 plays" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("1:1-0\n"))
    assert main([*words, "--board", "100"]) == 0
    assert "player 1 has won" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["solve", "go", "3x3"], "no such game: 'go'"),
        (["solve", "breakthrough", "1x1"], "not a size of breakthrough: '1x1'"),
        (["solve", "chess", "KKK"], "not a chess ending: 'KKK'"),
        (["solve", "breakthrough", "4x4", "--limit-mb", "0"], "expected a number from 1 to"),
        (["winner", "nim", "3,4"], "setrograde game solve nim 3,4"),
        (["winner", "amazons", "4x4", "--board", "x"], "not a board of amazons 4x4: 'x'"),
        (["winner", "amazons", "9x9"], "not a size of amazons: '9x9'"),
    ],
)
def test_nonsense_gives_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert told in error(capsys, 2, *words)


def test_boards_that_are_none_give_one_line(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    words = ["probe", "tic-tac-toe", "3x3", "--data", str(data), "--board"]
    assert "not a board of tic-tac-toe" in error(capsys, 2, *words, "xxo")
    assert "not a board that was solved" in error(capsys, 2, *words, "xxx/xxx/xxx")


def test_no_solution_is_an_answer_of_no(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in ("probe", "verify", "play"):
        text = error(capsys, 1, command, "breakthrough", "4x4", "--data", str(tmp_path))
        assert "setrograde game solve breakthrough 4x4" in text


def test_small_games_are_solved_on_the_spot(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = answer(capsys, "probe", "tic-tac-toe", "3x3", "--data", str(tmp_path))
    assert found["value"] == "draw"
    assert main(["game", "play", "nim", "1,2", "--as", "nobody", "--data", str(tmp_path)]) == 0
    assert "player 1 has won" in capsys.readouterr().out


def test_a_damaged_solution_gives_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["game", "solve", "nim", "2,2", "--data", str(tmp_path)]) == 0
    path = tmp_path / "games" / "nim-2_2.sets"
    path.write_bytes(path.read_bytes()[:-1])
    assert "the checksum does not fit" in error(
        capsys, 2, "probe", "nim", "2,2", "--data", str(tmp_path)
    )


def test_too_little_memory_gives_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["solve", "breakthrough", "4x5", "--limit-mb", "4", "--data", str(tmp_path)]
    for more in ([], ["--no-distances"]):  # which needs more here
        said = error(capsys, 2, *words, *more)
        assert "did not fit in 4 MB (give more with --limit-mb)" in said


@pytest.mark.parametrize(
    ("game", "limit", "hint"),
    [
        (["breakthrough", "4x5"], "512", "; --no-distances, which finds only who wins, may need"),
        (["breakthrough", "4x5"], "511", None),
        (["chess", "KQK"], "2048", None),
    ],
)
def test_large_games_may_be_tried_without_distances(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: list[str],
    limit: str,
    hint: str | None,
) -> None:
    def fill(game: BoardGame, **_: object) -> None:
        raise OutOfRoom(game.space)

    monkeypatch.setattr("setrograde.cli.game.answers.solve_game", fill)
    words = ["solve", *game, "--limit-mb", limit, "--data", str(tmp_path)]
    said = error(capsys, 2, *words)
    assert f"did not fit in {limit} MB (give more with --limit-mb{hint or ')'}" in said


# --- without distances ---


def test_solving_without_distances_keeps_who_wins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["breakthrough", "4x4", "--data", str(tmp_path)]
    found = answer(capsys, "solve", *words, "--no-distances")
    assert found["winner"] == 2 and found["plies"] is None and found["grades"] == 41
    assert found["wins"] + found["losses"] == found["boards"] and found["draws"] == 0
    probe = answer(capsys, "probe", *words)
    assert probe["value"] == "loss" and probe["distance"] is None
    assert {move["value"] for move in probe["moves"]} == {"loss"}
    assert answer(capsys, "verify", *words)["right"]


def test_a_solution_without_distances_can_be_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["breakthrough", "4x4", "--data", str(tmp_path)]
    assert main(["game", "solve", *words, "--no-distances", "--plies"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("grade   0 of 40  player 1 wins ")
    assert "player 2 wins\n" in captured.out
    assert main(["game", "play", *words, "--as", "nobody"]) == 0
    assert capsys.readouterr().out.endswith("player 2 has won\n")


def test_games_whose_boards_come_back_need_distances(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("solve", "chess", "KQK", "--no-distances", "--data", str(tmp_path))
    said = error(capsys, 2, *words)
    assert "--no-distances is not for chess: the game has no letter_weights" in said


def test_a_winner_is_told_with_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "winner", "amazons", "5x4")
    assert (found["winner"], found["player"], found["board"][:5]) == (1, 1, ".o.o.")
    board = "x.o./.#../####/####"
    assert main(["game", "winner", "amazons", "4x4", "--board", board, "--player", "2"]) == 0
    out = capsys.readouterr().out
    assert "player 2 to move: player 2 wins, by c4-" in out and "nodes" in out
    lost = answer(capsys, "winner", "amazons", "4x4", "--limit-mb", "1")
    assert (lost["winner"], lost["best"]) == (2, None)


def test_a_game_that_is_watched_is_told_as_json(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    found = answer(capsys, "play", "nim", "3,4,5", "--as", "nobody", "--data", str(data))
    assert found["finished"] and found["winner"] == 1 and len(found["moves"]) == 11
    assert found["moves"][0] == {
        "player": 1,
        "move": "1:3-1",
        "value": "win",
        "distance": 11,
        "board": "145",
    }
    assert found["moves"][-1]["board"] == "000"


def test_a_game_that_is_played_keeps_json_apart(
    capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1:3-1\n\n"))
    capsys.readouterr()
    assert main(["game", "play", "nim", "3,4,5", "--data", str(data), "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert not found["finished"] and found["winner"] is None and len(found["moves"]) == 2
    assert "player 1, your move" in captured.err


# --- games of the user's own ---

MISERE = """
from setrograde.games import Nim

class MisereNim(Nim):
    \"\"\"Nim in which the last one loses.\"\"\"

    name = "misere"
    stuck_wins = True
    example_size = "3,4"
"""


@pytest.fixture
def misere(tmp_path: Path) -> str:
    path = tmp_path / "misere.py"
    path.write_text(MISERE)
    return str(path)


ABOUT = ["take from", "three in", "run a", "four in", "queens", "queen,", "Nim in"]
"""How `game list` begins to tell of each game."""


def test_a_game_of_a_file_is_solved_checked_and_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, misere: str
) -> None:
    words = ["misere", "3,4,5", "--module", misere, "--data", str(tmp_path)]
    assert main(["game", "solve", *words]) == 0
    assert f"next: setrograde game verify misere 3,4,5 --module {misere}" in capsys.readouterr().out
    assert answer(capsys, "verify", *words)["exhaustive"]
    assert answer(capsys, "probe", *words, "--board", "001")["value"] == "loss"
    assert answer(capsys, "probe", *words, "--board", "000")["value"] == "win"
    assert answer(capsys, "play", *words, "--as", "nobody")["winner"] == 1
    games = answer(capsys, "list", "--module", misere)["games"]
    assert games[-1] == {
        "name": "misere",
        "about": "Nim in which the last one loses",
        "sizes": "",
        "example": "3,4",
    }
    assert main(["game", "list", "--module", misere]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[-1].split("  ")[0] == "misere" and rows[-1].endswith("  such as 3,4")
    assert len({row.index(word) for row, word in zip(rows, ABOUT, strict=True)}) == 1
    assert rows[0].index("heaps up to") == rows[-1].index("such as")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("", "no game in"),
        ("import nonsense_of_no_package", "cannot be loaded: ModuleNotFoundError"),
        ("class", "cannot be loaded: SyntaxError"),
        ("from setrograde.games import Nim", "no game in"),
        ("from setrograde.games import Nim\nclass Mine(Nim): pass", "name of another game: 'nim'"),
        (MISERE.replace("Nim):", "Nim):\n    start = 1/0"), "ZeroDivisionError"),
    ],
)
def test_a_file_without_a_game_gives_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, code: str, told: str
) -> None:
    path = tmp_path / "own.py"
    path.write_text(code)
    assert told in error(capsys, 2, "solve", "misere", "3,4", "--module", str(path))


def test_a_module_that_is_not_there_gives_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, 2, "list", "--module", "nowhere/own.py")
    assert "no such file: 'nowhere/own.py'" in said
    assert "cannot be loaded" in error(capsys, 2, "list", "--module", "no_such_module_at_all")


def test_games_of_other_packages_are_found_by_their_entry_points(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    misere: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint("misere", "misere:MisereNim", "setrograde.games"),
        EntryPoint("broken", "no_such_package:Game", "setrograde.games"),
        EntryPoint("none", "misere:__name__", "setrograde.games"),
    ]
    monkeypatch.setattr(
        "setrograde.games.catalogue.entry_points", EntryPoints(points).select, raising=True
    )
    assert answer(capsys, "probe", "misere", "3,4", "--data", str(tmp_path))["value"] == "win"
    assert main(["game", "list"]) == 0
    captured = capsys.readouterr()
    assert "misere " in captured.out and "broken" not in captured.out
    assert "'broken' of no_such_package:Game cannot be loaded" in captured.err
    assert "is no game" in captured.err
    assert "cannot be loaded" in error(capsys, 2, "solve", "broken", "3,4")
    assert "expected one of nim, " in error(capsys, 2, "solve", "go", "3,4")


def test_a_change_of_the_rules_is_noticed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, misere: str
) -> None:
    words = ["misere", "3,4", "--module", misere, "--data", str(tmp_path)]
    assert main(["game", "solve", *words]) == 0
    Path(misere).write_text(MISERE.replace("stuck_wins = True", "stuck_wins = False"))
    for command in ("solve", "probe", "verify", "play"):
        said = error(capsys, 2, command, *words)
        assert "was made by other rules of misere 3,4" in said and "--force" in said
    assert main(["game", "solve", *words, "--force"]) == 0
    assert answer(capsys, "verify", *words)["exhaustive"]


def test_a_game_that_is_being_solved_gives_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with GameStore(tmp_path).working(Nim([3, 3])):
        said = error(capsys, 2, "solve", "nim", "3,3", "--data", str(tmp_path))
    assert "another program is solving nim 3,3" in said
    assert main(["game", "solve", "nim", "3,3", "--data", str(tmp_path)]) == 0
