"""Solved games in notebooks: a solution, or one board with the value of every move, as HTML.

Styles are inline, so a fragment can stand anywhere and takes the colours of its surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from setrograde.games.board_game import BoardGame
from setrograde.games.board_picture import BoardPicture

from .graded import GradedSolution
from .retrograde import GameSolution
from .values import BoardOutcome, SolvedGame

__all__ = ["BoardAnswer", "graded_html", "solution_html"]

_CELL = "padding:.1em 1.2em .1em 0;text-align:left;vertical-align:top;background:none;border:none"
_MOST_MOVES = 12


def solution_html(solution: GameSolution) -> str:
    """Who wins from the start, and the numbers of boards won, lost and drawn.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards import solve_game
    >>> "player 1 wins in 11 plies" in solution_html(solve_game(Nim([3, 4, 5])))
    True
    """
    won, lost, drawn = [solution.count(outcome, 0) for outcome in BoardOutcome]
    rows = [
        *_counts(solution.result, solution.legal[0].count, won, lost, drawn),
        ("longest game", f"{solution.plies} plies"),
        ("automaton states", f"{solution.states:,}"),
    ]
    return _start_beside(solution.game, rows)


def graded_html(solution: GradedSolution) -> str:
    """The same for a solution by grades.

    >>> from setrograde.solve.boards import solve_game
    >>> "player 1 wins" in graded_html(solve_game("nim", "3,4,5", distances=False))
    True
    """
    tally = solution.tally()
    rows = [
        *_counts(solution.result, tally.boards, tally.wins, tally.losses, tally.draws),
        ("grades", f"{len(solution.grades)}"),
        ("automaton states", f"{tally.states:,}"),
    ]
    return _start_beside(solution.game, rows)


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """One board of a solved game; shows its value and its moves, best first.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards import solve_game
    >>> print(BoardAnswer(solve_game(Nim([1, 2])), "12", 0))
    12
    player 1 to move: win in 3
      2:2-1        win in 3
      1:1-0        loss in 2
      2:2-0        loss in 2
    """

    solution: SolvedGame
    board: str
    player: int

    def __str__(self) -> str:
        probe = self.solution.probe(self.board, self.player)
        moves = [f"  {each}" for each in probe.steps]
        head = f"player {self.player + 1} to move: {probe.value}"
        return "\n".join([str(BoardPicture(self.solution.game, self.board)), head, *moves])

    def _repr_html_(self) -> str:
        probe = self.solution.probe(self.board, self.player)
        rows = [(each.step.text, str(each.value)) for each in probe.steps[:_MOST_MOVES]]
        if len(probe.steps) > _MOST_MOVES:
            rows.append(("…", f"{len(probe.steps) - _MOST_MOVES} more"))
        return _beside(
            f"player {self.player + 1} to move: {probe.value}",
            BoardPicture(self.solution.game, self.board).to_svg(),
            _table(rows),
        )


def _counts(result: str, boards: int, won: int, lost: int, drawn: int) -> list[tuple[str, str]]:
    return [
        ("from the start", result),
        ("boards, player 1 to move", f"{boards:,}"),
        ("won by player 1", f"{won:,}"),
        ("lost", f"{lost:,}"),
        ("drawn", f"{drawn:,}"),
    ]


def _start_beside(game: BoardGame, rows: Iterable[tuple[str, str]]) -> str:
    return _beside(
        f"{game.name} {game.size}", BoardPicture(game, game.start).to_svg(), _table(rows)
    )


def _table(rows: Iterable[tuple[str, str]]) -> str:
    lines = [
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(text)}</td>' for text in row) + "</tr>"
        for row in rows
    ]
    return f"<table>{''.join(lines)}</table>"


def _beside(title: str, picture: str, table: str) -> str:
    return (
        f"<div><strong>{escape(title)}</strong>"
        f'<div style="display:flex;gap:1.5em;align-items:flex-start">{picture}{table}</div></div>'
    )
