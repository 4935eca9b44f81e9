"""Solved games in notebooks: a solution, or one board with the value of every move, as HTML.

Styles are inline, so a fragment can stand anywhere and takes the colours of its surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from setrograde.games.board_picture import BoardPicture

from .retrograde import GameSolution, Outcome

__all__ = ["BoardAnswer", "solution_html"]

_CELL = "padding:.1em 1.2em .1em 0;text-align:left;vertical-align:top;background:none;border:none"
_MOST_MOVES = 12


def solution_html(solution: GameSolution) -> str:
    """Who wins from the start, and how many boards are won, lost and drawn.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards.retrograde import solve_game
    >>> "player 1 wins in 11 plies" in solution_html(solve_game(Nim([3, 4, 5])))
    True
    """
    game, value = solution.game, solution.start_value
    rows = [
        ("from the start", _result(solution.winner, value.distance)),
        ("boards", f"{solution.legal[0].count:,}"),
        *[
            (words, f"{solution.count(outcome, 0):,}")
            for words, outcome in (
                ("won by player 1, to move", Outcome.WIN),
                ("lost", Outcome.LOSS),
                ("drawn", Outcome.DRAW),
            )
        ],
        ("longest", f"{solution.plies} plies"),
        ("automaton states", f"{solution.states:,}"),
    ]
    return _beside(
        f"{game.name} {game.size}", BoardPicture(game, game.start).to_svg(), _table(rows)
    )


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """One board of a solved game; shows its value and its moves, best first.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards.retrograde import solve_game
    >>> print(BoardAnswer(solve_game(Nim([1, 2])), "12", 0))
    12
    player 1 to move: win in 3
      2:2-1        win in 3
      1:1-0        loss in 2
      2:2-0        loss in 2
    """

    solution: GameSolution
    board: str
    player: int

    def __str__(self) -> str:
        probe = self.solution.probe(self.board, self.player)
        moves = [f"  {each.step.text:12} {each.value}" for each in probe.steps]
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


def _result(winner: int | None, plies: int | None) -> str:
    return "a draw" if winner is None else f"player {winner + 1} wins in {plies} plies"


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
