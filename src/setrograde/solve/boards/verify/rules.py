"""One board, looked at by the plain rules: does its value follow from those its moves lead to?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from ..graded import GradedSolution
from ..values import BoardOutcome, BoardValue, SolvedGame, stuck_outcome

__all__ = ["Look", "Place", "Rules"]

Place = tuple[str, int]
"""A board and the player to move."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at one board found."""

    place: Place
    needs: tuple[Place, ...]
    """The boards that a proof of its value rests on; those nearest the end of the game are last."""

    faults: tuple[str, ...]
    """What is wrong, in words."""


class Rules:
    """The plain rules of a game beside its solution.

    >>> from setrograde.solve.boards import solve_game
    >>> rules = Rules(solve_game("nim", "1,2"))
    >>> [look.needs for look in rules.look([("12", 0), ("11", 1)])]
    [(('11', 1),), (('01', 0), ('10', 0))]
    """

    def __init__(self, solution: SolvedGame) -> None:
        self._solution = solution
        self._game = solution.game
        self._graded = solution if isinstance(solution, GradedSolution) else None

    def look(self, places: Sequence[Place], *, known: Collection[Place] = ()) -> list[Look]:
        """Look at some boards; where a proof can choose between boards, it takes a `known` one."""
        looks = []
        for player in (0, 1):
            boards = [board for board, to_move in places if to_move == player]
            looks += self._look(boards, player, known)
        return looks

    def sort_by_height(self, places: Iterable[Place]) -> list[Place]:
        """Boards in the order of their distance or grade, those nearest the end of the game first.

        >>> from setrograde.solve.boards import solve_game
        >>> Rules(solve_game("nim", "1,2")).sort_by_height([("12", 0), ("00", 1), ("11", 0)])
        [('00', 1), ('11', 0), ('12', 0)]
        """
        listed = list(places)
        heights: dict[Place, int] = {}
        for player in (0, 1):
            boards = [board for board, to_move in listed if to_move == player]
            height = self._height(
                dict(zip(boards, self._solution.values(boards, player), strict=True))
            )
            heights |= {(board, player): height(board) for board in boards}
        return sorted(listed, key=lambda place: heights[place])

    def _look(self, boards: Sequence[str], player: int, known: Collection[Place]) -> list[Look]:
        game = self._game
        after = []
        for board in boards:
            game.space.check_stop()
            after.append([step.board for step in game.iter_steps(board, player)])
        solved = self._solved({board for each in after for board in each}, 1 - player)
        given = self._solution.values(boards, player)
        looks = []
        for board, value, following in zip(boards, given, after, strict=True):
            game.space.check_stop()
            looks.append(self._look_at(board, player, value, following, solved, known))
        return looks

    def _solved(self, boards: set[str], player: int) -> dict[str, BoardValue]:
        """The values of those of the boards that were solved."""
        listed = sorted(boards)
        inside = self._solution.legal[player].contains_all_of(listed)
        kept = [board for board, is_in in zip(listed, inside, strict=True) if is_in]
        if self._graded:
            grades = set(self._graded.grades)
            kept = [board for board in kept if self._graded.grade_of(board) in grades]
        return dict(zip(kept, self._solution.values(kept, player), strict=True))

    def _look_at(
        self,
        board: str,
        player: int,
        value: BoardValue,
        following: Sequence[str],
        solved: dict[str, BoardValue],
        known: Collection[Place],
    ) -> Look:
        name = f"{board!r} with player {player + 1} to move"
        faults = []
        if not self._game.is_legal(board, player):
            faults.append(f"{name} is not legal")
        if not all(each in solved for each in following):
            faults.append(f"{name} has a move to a board that was not solved")
        if self._graded and not self._falls(board, following):
            faults.append(f"{name} has a move that does not lower the grade of the board")
        reached = {each: solved[each] for each in following if each in solved}
        expected = self._expected(board, player, list(reached.values()))
        if not faults and value != expected:
            faults.append(f"{name} is given as {value}, but its moves make it {expected}")
        needs = () if faults else self._needs(board, player, value, reached, known)
        return Look((board, player), needs, tuple(faults))

    def _falls(self, board: str, following: Sequence[str]) -> bool:
        assert self._graded
        grade = self._graded.grade_of(board)
        return all(self._graded.grade_of(each) < grade for each in following)

    def _needs(
        self,
        board: str,
        player: int,
        value: BoardValue,
        reached: dict[str, BoardValue],
        known: Collection[Place],
    ) -> tuple[Place, ...]:
        """The boards whose values, if right, make this value right.

        A win needs one move to a loss of the other player, a ply nearer the end or of a lower
        grade; a loss needs all moves, each to a win. So a chain of needs comes to an end, and
        proofs of wins and losses hold by induction. A draw needs all its moves, to wins and draws.
        Chains of draws may go round in circles: if each draw has a move to a draw and none to a
        loss, neither player can force a win.
        """
        other = 1 - player
        if self._game.has_lost(board, player):
            return ()
        if value.outcome is not BoardOutcome.WIN:
            highest_first = sorted(reached, key=self._height(reached), reverse=True)
            return tuple([(each, other) for each in highest_first])
        losses = [
            each
            for each, after in reached.items()
            if after.outcome is BoardOutcome.LOSS
            and (value.distance is None or after.distance == value.distance - 1)
        ]
        losses.sort(key=self._height(reached))
        at_hand = [each for each in losses if (each, other) in known]
        return tuple([(each, other) for each in (at_hand or losses)[:1]])

    def _height(self, values: dict[str, BoardValue]) -> Callable[[str], int]:
        """How far a board is from the end of the game: its grade, or its distance."""
        if self._graded:
            return self._graded.grade_of
        far = 1 << 30  # draws, which have no distance
        return lambda board: far if (d := values[board].distance) is None else d

    def _expected(self, board: str, player: int, reached: Sequence[BoardValue]) -> BoardValue:
        """What a board is worth by the values of the boards its moves lead to."""
        game = self._game
        at_once = 0 if self._solution.has_distances else None
        if game.has_lost(board, player):
            return BoardValue(BoardOutcome.LOSS, at_once)
        if not reached:
            outcome = stuck_outcome(game)
            return BoardValue(outcome, None if outcome is BoardOutcome.DRAW else at_once)
        to_losses = [v for v in reached if v.outcome is BoardOutcome.LOSS]
        if to_losses:
            return BoardValue(BoardOutcome.WIN, _one_more(min, to_losses))
        if all(v.outcome is BoardOutcome.WIN for v in reached):
            return BoardValue(BoardOutcome.LOSS, _one_more(max, reached))
        return BoardValue(BoardOutcome.DRAW, None)


def _one_more(pick: Callable[[list[int]], int], values: Sequence[BoardValue]) -> int | None:
    distances = [v.distance for v in values if v.distance is not None]
    return 1 + pick(distances) if len(distances) == len(values) else None
