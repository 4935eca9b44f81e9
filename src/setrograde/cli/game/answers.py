"""Answers of `setrograde game`, as text or JSON."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from typing import Any

from setrograde.errors import InvalidInput
from setrograde.games import (
    Amazons,
    BoardGame,
    BoardPicture,
    find_games,
    load_games,
    make_game,
)
from setrograde.solve.boards import (
    BoardAnswer,
    BoardCheck,
    BoardOutcome,
    BoardProbe,
    GameSolution,
    GameStore,
    GradedSolution,
    GradeReport,
    PlyReport,
    find_winner,
    open_game,
    solve_game,
    verify_solution,
)

from ..common import print_json, show_progress
from ..options import one_line

__all__ = [
    "game_of",
    "open_stored",
    "run_list",
    "run_probe",
    "run_solve",
    "run_verify",
    "run_winner",
]


def game_of(args: argparse.Namespace) -> BoardGame:
    """The game that the arguments name."""
    more = load_games(args.module) if args.module else None
    return make_game(args.name, args.size, limit_mb=args.limit_mb, more=more)


def open_stored(args: argparse.Namespace) -> GameSolution | GradedSolution:
    """The solution that the arguments name; raises `MissingTable` if there is none."""
    return open_game(game_of(args), store=GameStore(args.data))


# --- list ---


def run_list(args: argparse.Namespace) -> int:
    """Print the games."""
    problems: list[str] = []
    games = find_games(load_games(args.module) if args.module else None, problems=problems)
    for problem in problems:
        print(f"setrograde: warning: {one_line(problem)}", file=sys.stderr)
    if args.json:
        print_json(
            {
                "games": [
                    {"name": name, "about": e.about, "sizes": e.sizes, "example": e.example}
                    for name, e in games.items()
                ]
            }
        )
        return 0
    widths = [max(map(len, names)) for names in (games, [e.about for e in games.values()])]
    for name, entry in games.items():
        example = f"such as {entry.example}" if entry.example else ""
        sizes = ", ".join([text for text in (entry.sizes, example) if text])
        print(f"{name:{widths[0]}}  {entry.about:{widths[1]}}  {sizes}".rstrip())
    return 0


# --- solve ---


def run_solve(args: argparse.Namespace) -> int:
    """Solve a game, or say what a finished solution holds."""
    game = game_of(args)
    if args.no_distances and game.letter_weights is None:
        raise InvalidInput(
            f"--no-distances is not for {game.name}: the game has no letter_weights, a sum that"
            " every move lowers (leave the option out)"
        )
    store = GameStore(args.data)
    started = time.process_time()
    was_there = not args.no_distances and not args.force and store.path(game).exists()
    with show_progress("grade") as show:

        def tell(report: PlyReport | GradeReport) -> None:
            if args.plies:
                print(report, file=sys.stderr)
            if isinstance(report, GradeReport):
                show(report.grade)

        solution = solve_game(
            game,
            distances=not args.no_distances,
            store=store,
            force=args.force,
            progress=tell,
        )
    if was_there:
        print(f"solved before: {store.path(game)}", file=sys.stderr)
    answer = _summary(solution) | {
        "bytes": store.bytes(solution),
        "seconds": round(time.process_time() - started, 3),
        "peak_mb": game.space.forest.peak_bytes >> 20,
        "file": str(store.path(game) if solution.has_distances else store.grades(game)),
    }
    if args.json:
        print_json(answer)
        return 0
    print(solution)
    grades = f"{answer['grades']} grades, " if "grades" in answer else ""
    print(
        f"{grades}{answer['states']:,} states, {answer['bytes']:,} bytes on disk,"
        f" {answer['seconds']:.2f} s of CPU time, {answer['peak_mb']} MB of memory"
    )
    own = f" --module {shlex.quote(args.module)}" if args.module else ""
    print(f"next: setrograde game verify {game.name} {game.size}{own}")
    return 0


def _summary(solution: GameSolution | GradedSolution) -> dict[str, Any]:
    head = {
        "game": solution.game.name,
        "size": solution.game.size,
        "winner": None if solution.winner is None else solution.winner + 1,
        "plies": solution.start_value.distance,
    }
    if isinstance(solution, GradedSolution):
        tally = solution.tally()
        return head | {
            "boards": tally.boards,
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "grades": len(solution.grades),
            "states": tally.states,
        }
    return head | {
        "longest": solution.plies,
        "boards": solution.legal[0].count,
        "wins": solution.count(BoardOutcome.WIN, 0),
        "losses": solution.count(BoardOutcome.LOSS, 0),
        "draws": solution.count(BoardOutcome.DRAW, 0),
        "states": solution.states,
    }


# --- probe ---


def run_probe(args: argparse.Namespace) -> int:
    """Look one board up."""
    solution = open_stored(args)
    game, player = solution.game, args.player - 1
    board = game.start if args.board is None else game.parse_board(args.board)
    if args.json:
        print_json(_probe_to_dict(game, board, player, solution.probe(board, player)))
    else:
        print(BoardAnswer(solution, board, player))
    return 0


def _probe_to_dict(game: BoardGame, board: str, player: int, probe: BoardProbe) -> dict[str, Any]:
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
    solution = open_stored(args)
    with show_progress("boards") as show:
        found = verify_solution(
            solution,
            most_boards=None if args.all else 200_000,
            samples=args.samples,
            budget=args.budget,
            seed=args.seed,
            progress=show,
        )
    if args.json:
        print_json(_check_to_dict(found))
    else:
        print(found)
    return 0 if found.is_right else 1


def _check_to_dict(found: BoardCheck) -> dict[str, Any]:
    """What a check found, by the names of the JSON keys."""
    end = found.end
    return {
        "right": found.is_right,
        "boards": found.boards,
        "exhaustive": found.is_exhaustive,
        "drawn": found.drawn_evenly,
        "proved": found.proved,
        "start_proved": found.is_start_proved or found.is_exhaustive,
        "right_at_least": found.right_at_least,
        "fault_bound": found.fault_bound,
        "confidence": found.confidence,
        "end_boards": None if end is None else end.boards,
        "end_plies": end.bound if end and end.has_distances else None,
        "end_grade": end.bound if end and not end.has_distances else None,
        "faults": list(found.faults),
    }


# --- winner ---


def run_winner(args: argparse.Namespace) -> int:
    """Search one board."""
    game = game_of(args)
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
    print(f"player {args.player} to move: {found}")
    print(f"{answer['nodes']:,} nodes, {answer['seconds']:.2f} s of CPU time")
    return 0
