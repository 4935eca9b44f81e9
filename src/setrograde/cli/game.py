"""`setrograde game`: board games solved by sets of boards."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from setrograde.bridge import InvalidInput
from setrograde.db.database import data_directory
from setrograde.games.amazons import Amazons
from setrograde.games.board_game import BoardGame
from setrograde.games.board_picture import BoardPicture
from setrograde.games.catalogue import CATALOGUE, make_game
from setrograde.sets import BoardSet, InvalidSet, OutOfRoom
from setrograde.solve.boards.amazons import find_winner
from setrograde.solve.boards.graded import (
    GradedSolution,
    GradeReport,
    open_graded,
    solve_by_grades,
)
from setrograde.solve.boards.reachable import reachable_boards
from setrograde.solve.boards.retrograde import (
    GameSolution,
    Outcome,
    PlyReport,
    Probe,
    load_solution,
    save_solution,
    solve_game,
)
from setrograde.solve.boards.verify import verify_graded, verify_solution

from .common import add_json_option, print_json, show_progress
from .db.options import add_data_option

__all__ = [
    "add_parser",
    "run_list",
    "run_play",
    "run_probe",
    "run_solve",
    "run_verify",
    "run_winner",
]

_DESCRIPTION = """\
Solve small board games completely: who wins from every board, in how many moves. Boards are kept as
sets in compressed form, so games with far more boards than memory can be solved. Solve a game once;
then look boards up, check the solution by the plain rules, or play against it."""

_EPILOG = """\
examples:
  setrograde game list
  setrograde game solve breakthrough 4x5
  setrograde game probe breakthrough 3x4 --board ooo/o.o/.xx/xxx
  setrograde game verify tic-tac-toe 3x3
  setrograde game winner amazons 5x5
  setrograde game play nim 3,4,5 --as nobody"""

_LIST = "The games there are, and the sizes they come in."

_SOLVE = """\
Solve every board of a game and keep the solution: who wins, in how many plies, with either player
to move. A solve that was stopped goes on where it was. Memory is what large games need; if
--limit-mb is too small, that is told and what is done is kept. With --no-distances, games in which
no board comes back (pawns only go forward, boards fill up) are solved a slice at a time: large ones
take a fraction of the memory."""

_PROBE = """\
Look up a board: who wins and in how many plies, and what every move is worth, best first. Games
with fewer than a million boards are solved on the spot; others must have been solved before."""

_VERIFY = """\
Check a solution by the plain rules of the game, board by board: every win has a move to a loss, no
loss has one, and distances fit. Small games are checked whole, large ones on random boards."""

_WINNER = """\
Who wins one board of Amazons with best play, and by which move, by searching ahead: for boards too
large to be solved whole. Nothing is kept. Up to 5x5 it takes seconds, 4x7 minutes, 6x4 a quarter of
an hour, 5x6 longer."""

_PLAY = """\
Play against a solved game. Give moves as 'game probe' shows them; ? shows what each is worth, an
empty line stops. Rows of the board are given from the top."""


_SMALL = 1_000_000
"""Boards of games that need not be kept: they are solved in a moment."""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "game", help="board games solved whole", description=_DESCRIPTION, epilog=_EPILOG
    )
    below = parser.add_subparsers(
        dest="game_command", metavar="COMMAND", required=True, title="commands"
    )
    listing = below.add_parser(
        "list",
        help="the games and their sizes",
        description=_LIST,
        epilog="examples:\n  setrograde game list",
    )
    add_json_option(listing, "the list")
    listing.set_defaults(run=run_list)

    solving = _add_game_parser(below, "solve", _SOLVE, "breakthrough 4x4", run_solve)
    solving.add_argument(
        "--plies", action="store_true", help="tell the sets of every ply on standard error"
    )
    solving.add_argument(
        "--no-distances",
        action="store_true",
        help="find who wins, not in how many plies: large games take less time and memory",
    )
    probing = _add_game_parser(below, "probe", _PROBE, "nim 3,4,5", run_probe)
    _add_board_options(probing)
    checking = _add_game_parser(below, "verify", _VERIFY, "breakthrough 2x4", run_verify)
    checking.add_argument(
        "--samples",
        type=_positive,
        default=2000,
        metavar="N",
        help="boards of each outcome, if there are too many for all; more are surer",
    )
    checking.add_argument("--seed", type=int, default=1, metavar="K", help="for drawing boards")
    winning = _add_game_parser(below, "winner", _WINNER, "amazons 5x5", run_winner, keeps=False)
    _add_board_options(winning)
    playing = _add_game_parser(below, "play", _PLAY, "tic-tac-toe 3x3 --as nobody", run_play)
    _add_board_options(playing)
    playing.add_argument(
        "--as",
        dest="side",
        choices=("1", "2", "nobody"),
        default="1",
        help="which player you are: 1 unless given; nobody to watch",
    )


_WORDS = {
    "solve": "solve a game and keep the solution",
    "probe": "value and moves of one board",
    "verify": "check a solution by the plain rules",
    "winner": "who wins one board of Amazons",
    "play": "play against the solution",
}


def _add_game_parser(
    commands: argparse._SubParsersAction[Any],
    name: str,
    description: str,
    example: str,
    run: Callable[[argparse.Namespace], int],
    *,
    keeps: bool = True,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=_WORDS[name],
        description=description,
        epilog=f"examples:\n  setrograde game {name} {example}",
    )
    parser.add_argument("name", metavar="NAME", help=", ".join(CATALOGUE))
    parser.add_argument("size", metavar="SIZE", help="like 4x5; see 'setrograde game list'")
    parser.add_argument(
        "--limit-mb",
        type=_positive,
        default=2048,
        metavar="N",
        help="memory to use; larger games need more, 2048 unless given",
    )
    if keeps:
        add_data_option(parser)
    add_json_option(parser, "the answer")
    parser.set_defaults(run=_told_in_one_line(run))
    return parser


def _add_board_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board", metavar="ROWS", help="rows from the top, divided by /; the start if not given"
    )
    parser.add_argument(
        "--player", type=int, choices=(1, 2), default=1, help="who is to move: 1 unless given"
    )


def _told_in_one_line(
    run: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """Errors of sets, told as the command line tells them."""

    def guarded(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except OutOfRoom as error:
            hint = f"{error}".replace("limit_mb", "--limit-mb")
            if not getattr(args, "no_distances", True) and _has_grades(args):
                hint = hint.removesuffix(")") + ", or find only who wins with --no-distances)"
            raise InvalidInput(hint) from None
        except InvalidSet as error:
            raise InvalidInput(str(error)) from None

    return guarded


def _has_grades(args: argparse.Namespace) -> bool:
    return make_game(args.name, args.size).letter_weights is not None


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1 << 20):
        raise argparse.ArgumentTypeError(f"{text!r} (expected 1 to {1 << 20})")
    return int(text)


# --- list ---


def run_list(args: argparse.Namespace) -> int:
    """Print the games."""
    if args.json:
        print_json(
            {
                "games": [
                    {"name": name, "about": e.about, "sizes": e.sizes, "example": e.example}
                    for name, e in CATALOGUE.items()
                ]
            }
        )
    else:
        for name, entry in CATALOGUE.items():
            print(f"{name:13} {entry.about:36} {entry.sizes}, like {entry.example}")
    return 0


# --- solve ---


def run_solve(args: argparse.Namespace) -> int:
    """Solve a game, or say what a finished solution holds."""
    game = make_game(args.name, args.size, limit_mb=args.limit_mb)
    path = _path(args, game)
    started = time.process_time()
    if args.no_distances:
        if game.letter_weights is None:
            raise InvalidInput(
                f"--no-distances is not for {game.name}: its boards may come up again"
                " (leave it out, or choose a game whose boards only fill up or empty)"
            )
        return _solve_by_grades(args, game, path.with_suffix(".grades"), started)
    if path.exists():
        solution = load_solution(path, game)
        print(f"solved before: {path}", file=sys.stderr)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = path.with_suffix(".parts")
        show = _print_ply if args.plies else None
        solution = solve_game(game, legal=_within(game), progress=show, parts=parts)
        save_solution(path, solution)
        shutil.rmtree(parts, ignore_errors=True)
    seconds = time.process_time() - started
    answer = _summary(solution, path, seconds)
    if args.json:
        print_json(answer)
    else:
        print(_format_summary(solution, answer))
    return 0


def _solve_by_grades(
    args: argparse.Namespace, game: BoardGame, folder: Path, started: float
) -> int:
    with show_progress("grade") as show:

        def tell(report: GradeReport) -> None:
            if args.plies:
                _print_grade(report)
            show(report.grade)

        solution = solve_by_grades(game, folder=folder, progress=tell)
    answer = _graded_summary(solution, folder, time.process_time() - started)
    if args.json:
        print_json(answer)
    else:
        print(_format_graded(answer))
    return 0


def _print_grade(report: GradeReport) -> None:
    print(
        f"grade {report.grade:3} of {report.last_grade}  player {report.winner + 1} wins"
        f" {report.wins:,} ({report.wins_states:,} states), player {report.loser + 1} loses"
        f" {report.losses:,}"
        f" ({report.losses_states:,} states)  {report.seconds:.1f} s",
        file=sys.stderr,
    )


def _graded_summary(solution: GradedSolution, folder: Path, seconds: float) -> dict[str, Any]:
    tally = solution.tally()
    return {
        "game": solution.game.name,
        "size": solution.game.size,
        "winner": {0: 1, 1: 2, None: None}[solution.winner],
        "plies": None,
        "boards": tally.boards,
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "grades": len(solution.grades),
        "states": tally.states,
        "bytes": sum(path.stat().st_size for path in folder.glob("*.sets")),
        "seconds": round(seconds, 3),
        "peak_mb": solution.game.space.forest.peak_bytes >> 20,
        "file": str(folder),
    }


def _format_graded(answer: dict[str, Any]) -> str:
    result = "a draw" if answer["winner"] is None else f"player {answer['winner']} wins"
    return (
        f"{answer['game']} {answer['size']}: {result}\n"
        f"player 1 to move: {answer['wins']:,} boards won, {answer['losses']:,} lost,"
        f" {answer['draws']:,} drawn\n"
        f"{answer['grades']} grades, {answer['states']:,} states, {answer['bytes']:,} bytes,"
        f" {answer['seconds']:.2f} s of CPU, {answer['peak_mb']} MB\n"
        f"next: setrograde game verify {answer['game']} {answer['size']}"
    )


def _within(game: BoardGame) -> tuple[BoardSet, BoardSet] | None:
    return reachable_boards(game) if game.is_solved_within_reach else None


def _path(args: argparse.Namespace, game: BoardGame) -> Path:
    folder = Path(args.data) if args.data else data_directory()
    return folder / "games" / f"{game.name}-{game.size.replace(',', '_')}.sets"


def _print_ply(report: PlyReport) -> None:
    print(
        f"ply {report.ply:3}  player {report.player + 1} wins {report.wins:,}"
        f" ({report.wins_states:,} states), player {2 - report.player} loses {report.losses:,}"
        f" ({report.losses_states:,} states)  {report.seconds:.1f} s",
        file=sys.stderr,
    )


def _summary(solution: GameSolution, path: Path, seconds: float) -> dict[str, Any]:
    value = solution.start_value
    return {
        "game": solution.game.name,
        "size": solution.game.size,
        "winner": {0: 1, 1: 2, None: None}[solution.winner],
        "plies": value.distance,
        "longest": solution.plies,
        "boards": solution.legal[0].count,
        "wins": solution.count(Outcome.WIN, 0),
        "losses": solution.count(Outcome.LOSS, 0),
        "draws": solution.count(Outcome.DRAW, 0),
        "states": solution.states,
        "bytes": path.stat().st_size,
        "seconds": round(seconds, 3),
        "peak_mb": solution.game.space.forest.peak_bytes >> 20,
        "file": str(path),
    }


def _format_summary(solution: GameSolution, answer: dict[str, Any]) -> str:
    winner = answer["winner"]
    result = "a draw" if winner is None else f"player {winner} wins in {answer['plies']} plies"
    return (
        f"{answer['game']} {answer['size']}: {result}\n"
        f"player 1 to move: {answer['wins']:,} boards won, {answer['losses']:,} lost,"
        f" {answer['draws']:,} drawn; the longest takes {answer['longest']} plies\n"
        f"{answer['states']:,} states, {answer['bytes']:,} bytes on disk,"
        f" {answer['seconds']:.2f} s of CPU, {answer['peak_mb']} MB\n"
        f"next: setrograde game verify {answer['game']} {answer['size']}"
    )


# --- probe ---


def _open(args: argparse.Namespace) -> GameSolution | GradedSolution | None:
    """The stored solution; tells how to make one if there is none."""
    game = make_game(args.name, args.size, limit_mb=args.limit_mb)
    path = _path(args, game)
    if path.exists():
        return load_solution(path, game)
    if graded := open_graded(game, path.with_suffix(".grades")):
        return graded
    if game.space.everything.count <= _SMALL:
        return solve_game(game, legal=_within(game))
    print(
        f"setrograde: no solution of {game.name} {game.size} in {str(path.parent)!r}"
        f" (make one with: setrograde game solve {args.name} {args.size})",
        file=sys.stderr,
    )
    return None


def run_probe(args: argparse.Namespace) -> int:
    """Look one board up."""
    solution = _open(args)
    if solution is None:
        return 1
    game, player = solution.game, args.player - 1
    board = game.start if args.board is None else game.parse_board(args.board)
    probe = solution.probe(board, player)
    if args.json:
        print_json(_probe_to_dict(game, board, player, probe))
        return 0
    print(BoardPicture(game, board))
    print(f"player {args.player} to move: {probe.value}")
    for entry in probe.steps:
        print(f"  {entry.step.text:12} {entry.value}")
    return 0


def _probe_to_dict(game: BoardGame, board: str, player: int, probe: Probe) -> dict[str, Any]:
    return {
        "game": game.name,
        "size": game.size,
        "board": game.to_text(board).replace("\n", "/"),
        "player": player + 1,
        "value": str(probe.value.outcome),
        "distance": probe.value.distance,
        "best": None if probe.best is None else probe.best.step.text,
        "moves": [
            {
                "move": entry.step.text,
                "value": str(entry.value.outcome),
                "distance": entry.value.distance,
                "board": game.to_text(entry.step.board).replace("\n", "/"),
            }
            for entry in probe.steps
        ],
    }


# --- verify ---


def run_verify(args: argparse.Namespace) -> int:
    """Check a stored solution."""
    solution = _open(args)
    if solution is None:
        return 1
    with show_progress("boards") as show:
        options: dict[str, Any] = {"samples": args.samples, "seed": args.seed, "progress": show}
        if isinstance(solution, GradedSolution):
            found = verify_graded(solution, **options)
        else:
            found = verify_solution(solution, **options)
    if args.json:
        print_json(
            {
                "right": found.is_right,
                "boards": found.boards,
                "exhaustive": found.is_exhaustive,
                "fault_bound": found.fault_bound,
                "faults": list(found.faults),
            }
        )
    else:
        print(found)
    return 0 if found.is_right else 1


# --- winner ---


def run_winner(args: argparse.Namespace) -> int:
    """Search one board."""
    game = make_game(args.name, args.size)
    if not isinstance(game, Amazons):
        raise InvalidInput(
            f"'game winner' is not for {game.name} (expected amazons; solve {game.name} with: "
            f"setrograde game solve {args.name} {args.size})"
        )
    board = game.start if args.board is None else game.parse_board(args.board)
    started = time.process_time()
    with show_progress("nodes") as show:
        found = find_winner(
            game, board, args.player - 1, limit_mb=max(args.limit_mb, 2), progress=show
        )
    answer = {
        "game": game.name,
        "size": game.size,
        "board": game.to_text(board).replace("\n", "/"),
        "player": args.player,
        "winner": found.winner + 1,
        "best": found.move,
        "nodes": found.nodes,
        "seconds": round(time.process_time() - started, 3),
    }
    if args.json:
        print_json(answer)
        return 0
    print(BoardPicture(game, board))
    by_move = "" if found.move is None else f", by {found.move}"
    print(f"player {args.player} to move: player {answer['winner']} wins{by_move}")
    print(f"{answer['nodes']:,} nodes, {answer['seconds']:.2f} s of CPU")
    return 0


# --- play ---


def run_play(args: argparse.Namespace) -> int:
    """Play from the terminal; an empty line or the end of input stops."""
    solution = _open(args)
    if solution is None:
        return 1
    game, player = solution.game, args.player - 1
    board = game.start if args.board is None else game.parse_board(args.board)
    while True:
        probe = solution.probe(board, player)
        print(BoardPicture(game, board))
        if not probe.steps:
            print(_result(probe, player))
            return 0
        if str(player + 1) == args.side:
            chosen = _ask(probe, player)
            if chosen is None:
                return 0
        else:
            assert probe.best is not None
            chosen = probe.best.step.text
            print(f"player {player + 1} plays {chosen} ({probe.best.value})")
        board = next(entry.step.board for entry in probe.steps if entry.step.text == chosen)
        player = 1 - player


def _ask(probe: Probe, player: int) -> str | None:
    names = [entry.step.text for entry in probe.steps]
    while True:
        print(f"player {player + 1}, your move ('?' for all values): ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        if not text:
            return None
        if text in names:
            return text
        if text == "?":
            print("  ".join(f"{e.step.text} {e.value}" for e in probe.steps))
        else:
            print(f"not a move: {text!r} (expected one of {' '.join(sorted(names)[:12])} ...)")


def _result(probe: Probe, player: int) -> str:
    if probe.value.outcome is Outcome.DRAW:
        return "a draw"
    return f"player {2 - player} has won"
