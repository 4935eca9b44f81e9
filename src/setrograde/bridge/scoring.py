"""Scores: what a contract earns, and how results of one board are compared.

Duplicate scoring follows Law 77 of the Laws of Duplicate Bridge, IMPs Law 78B. Every number is
for a named side: declarer's in `score_contract`, North-South's wherever a name ends in `_ns`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Literal, overload

from .calls import Contract, ContractLike, Doubling, as_contract
from .cards import Side, Strain, VulnerabilityLike, as_vulnerability
from .errors import InvalidBoard, InvalidInput

if TYPE_CHECKING:
    from .board import Board

__all__ = [
    "Matchpoints",
    "butler",
    "butler_datum",
    "cross_imps",
    "format_result",
    "imps",
    "matchpoints",
    "score_board",
    "score_contract",
    "victory_points",
]


def score_contract(contract: ContractLike, tricks_declarer: int, *, is_vulnerable: bool) -> int:
    """Points for declarer's side, negative if the contract fails; 0 for a board passed out.

    >>> score_contract("3NTN", 9, is_vulnerable=True)
    600
    >>> score_contract("4SXW", 7, is_vulnerable=False)
    -500
    """
    contract = as_contract(contract)
    if contract.is_passed_out:
        return 0
    _check_tricks(tricks_declarer)
    over = tricks_declarer - contract.tricks_needed
    if over < 0:
        return -_penalty(-over, contract.doubling, is_vulnerable)
    return _made(contract, over, is_vulnerable)


@overload
def score_board(contract: Board) -> int: ...


@overload
def score_board(
    contract: ContractLike, tricks_declarer: int, vulnerability: VulnerabilityLike
) -> int: ...


def score_board(
    contract: ContractLike | Board,
    tricks_declarer: int | None = None,
    vulnerability: VulnerabilityLike | None = None,
) -> int:
    """Points for North-South: of a contract, or of a board with everything it needs.

    >>> score_board("4SXW", 9, "NS")
    100
    >>> from setrograde.bridge import Board
    >>> score_board(Board(vulnerability="none", contract="3NTN", tricks_declarer=9))
    400
    >>> score_board(Board(3, contract="3NTN"))
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidBoard: no score for board 3: the result is not known \
(expected contract, tricks_declarer and vulnerability)
    """
    if not isinstance(contract, Contract | str):
        return _of_board(contract)
    if tricks_declarer is None or vulnerability is None:
        raise InvalidInput(f"no score for {str(contract)!r} (expected tricks and vulnerability)")
    contract = as_contract(contract)
    side = contract.declarer.side
    is_vulnerable = as_vulnerability(vulnerability).covers(side)
    points = score_contract(contract, tricks_declarer, is_vulnerable=is_vulnerable)
    return points if side is Side.NS else -points


def _of_board(board: Board) -> int:
    from .board import Board, board_contract, board_tricks  # which know how to score a board

    if not isinstance(board, Board):
        raise InvalidInput(
            f"not a contract or a board: {board!r} (expected like '3NTS' or a Board)"
        )
    contract, tricks = board_contract(board), board_tricks(board)
    if contract is not None and contract.is_passed_out:
        return 0
    if contract is not None and tricks is not None and board.vulnerability is not None:
        return score_board(contract, tricks, board.vulnerability)
    missing = "contract" if contract is None else "result" if tricks is None else "vulnerability"
    name = "this board" if board.number is None else f"board {board.number}"
    raise InvalidBoard(
        f"no score for {name}: the {missing} is not known"
        " (expected contract, tricks_declarer and vulnerability)"
    )


def format_result(contract: ContractLike, tricks_declarer: int) -> str:
    """Contract, declarer and result as players write them.

    >>> format_result("4SXW", 9), format_result("3NTN", 9)
    ('4SX W -1', '3NT N =')
    >>> format_result("2HE", 10), format_result("Pass", 0)
    ('2H E +2', 'Pass')
    """
    contract = as_contract(contract)
    if contract.is_passed_out:
        return "Pass"
    _check_tricks(tricks_declarer)
    over = tricks_declarer - contract.tricks_needed
    return f"{contract.bid} {contract.declarer} {f'{over:+d}' if over else '='}"


def _check_tricks(tricks: int) -> None:
    if not 0 <= tricks <= 13:
        raise InvalidInput(f"not a number of tricks: {tricks} (expected 0 to 13)")


def _penalty(under: int, doubling: Doubling, is_vulnerable: bool) -> int:
    if doubling is Doubling.UNDOUBLED:
        return (100 if is_vulnerable else 50) * under
    if is_vulnerable:
        doubled = 300 * under - 100
    elif under <= 3:
        doubled = 200 * under - 100
    else:
        doubled = 300 * under - 400
    return doubled * int(doubling)


def _made(contract: Contract, over: int, is_vulnerable: bool) -> int:
    level, strain, doubling = contract.level, contract.strain, contract.doubling
    trick = 20 if strain <= Strain.DIAMONDS else 30
    first = 10 if strain is Strain.NOTRUMP else 0
    tricks = (trick * level + first) << doubling
    game = 500 if is_vulnerable else 300
    bonus = game if tricks >= 100 else 50
    if level >= 6:
        bonus += (level - 5) * (750 if is_vulnerable else 500)
    if doubling is Doubling.UNDOUBLED:
        return tricks + bonus + trick * over
    insult = 50 * doubling
    return tricks + bonus + insult + over * doubling * (200 if is_vulnerable else 100)


_IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)


def imps(points: int) -> int:
    """International match points for a difference in points, with its sign.

    >>> imps(10), imps(430), imps(-620), imps(7600)
    (0, 10, -12, 24)
    """
    won = bisect_right(_IMP_STEPS, abs(points))
    return won if points > 0 else -won


@dataclass(frozen=True, slots=True)
class Matchpoints:
    """One pair of opponents' matchpoints: 2 for each result beaten, 1 for each equalled.

    >>> Matchpoints(ns=5, ew=1).percent_ns
    83.33333333333333
    """

    ns: int
    """Matchpoints of North-South."""

    ew: int
    """Matchpoints of East-West."""

    @property
    def top(self) -> int:
        """The most that could be won: twice the number of other results."""
        return self.ns + self.ew

    @property
    def percent_ns(self) -> float | None:
        """North-South's share in percent, or `None` if there was nobody to compare with."""
        return 100 * self.ns / self.top if self.top else None

    @property
    def percent_ew(self) -> float | None:
        """East-West's share in percent, or `None` if there was nobody to compare with."""
        return 100 * self.ew / self.top if self.top else None


def matchpoints(scores_ns: Sequence[int]) -> tuple[Matchpoints, ...]:
    """Matchpoints for every result of one board, in the order given.

    Two points for each result beaten and one for each equalled, so that all are whole numbers;
    divide by two for the American count.

    >>> [result.ns for result in matchpoints([620, 170, 620, -100])]
    [5, 2, 5, 0]
    """
    below: dict[int, int] = {}
    counts = Counter(scores_ns)
    beaten = 0
    for score in sorted(counts):
        below[score] = 2 * beaten + counts[score] - 1
        beaten += counts[score]
    top = 2 * (len(scores_ns) - 1)
    return tuple([Matchpoints(below[score], top - below[score]) for score in scores_ns])


def butler_datum(scores_ns: Sequence[int], *, trimmed: int = 0) -> int:
    """The average result of one board to the nearest 10, an exact 5 away from zero.

    `trimmed` is the number of results left out at the top and again at the bottom; 1 is usual in
    small fields, more in large ones.

    >>> butler_datum([620, 650, 620, -100]), butler_datum([620, 650, 620, -100], trimmed=1)
    (450, 620)
    """
    if trimmed < 0 or len(scores_ns) <= 2 * trimmed:
        raise InvalidInput(
            f"no datum of {len(scores_ns)} results with {trimmed} trimmed at either end"
            " (expected at least one result to be left)"
        )
    kept = sorted(scores_ns)[trimmed : len(scores_ns) - trimmed]
    tens = Fraction(abs(sum(kept)), 10 * len(kept))
    rounded = 10 * int(tens + Fraction(1, 2))
    return rounded if sum(kept) >= 0 else -rounded


def butler(scores_ns: Sequence[int], *, trimmed: int = 0) -> tuple[int, ...]:
    """IMPs of North-South against the datum, for every result of one board.

    >>> butler([620, 650, 620, -100], trimmed=1)
    (0, 1, 0, -12)
    """
    datum = butler_datum(scores_ns, trimmed=trimmed)
    return tuple([imps(score - datum) for score in scores_ns])


def cross_imps(scores_ns: Sequence[int]) -> tuple[int, ...]:
    """IMPs of North-South against all other results of one board, added up.

    Divide by the number of other results for the average.

    >>> cross_imps([620, 170, -100])
    (22, -3, -19)
    """
    counts = Counter(scores_ns)
    totals = {
        score: sum(imps(score - other) * count for other, count in counts.items())
        for score in counts
    }
    return tuple([totals[score] for score in scores_ns])


def victory_points(
    imps_won: int, boards: int, *, scale: Literal["wbf"] = "wbf"
) -> tuple[float, float]:
    """Victory points of a match, for the side that won `imps_won` (negative if it lost) first.

    `wbf` is the World Bridge Federation's continuous scale of 2013: 10-10 for a draw, 20-0 from
    15 times the square root of `boards` on, and between them an exponential curve, in
    hundredths, corrected so that no IMP is worth more than the one before.

    >>> victory_points(0, 16), victory_points(1, 16), victory_points(-60, 16)
    ((10.0, 10.0), (10.31, 9.69), (0.0, 20.0))
    """
    if scale != "wbf":
        raise InvalidInput(f"not a victory point scale: {scale!r} (expected 'wbf')")
    if not 1 <= boards <= 10_000:
        raise InvalidInput(f"not a number of boards: {boards} (expected 1 to 10000)")
    table = _wbf_hundredths(boards)
    winner = table[min(abs(imps_won), len(table) - 1)]
    ours = winner if imps_won >= 0 else 2000 - winner
    return (ours / 100, (2000 - ours) / 100)


@lru_cache(maxsize=64)
def _wbf_hundredths(boards: int) -> tuple[int, ...]:
    """The winner's hundredths of a victory point for 0, 1, 2 ... IMPs, the last one a blitz."""
    blitz = 15 * sqrt(boards)
    ratio = sqrt(5) - 2  # the cube of the golden section
    values: list[int] = []
    while len(values) < blitz:
        curve = (1 - ratio ** (len(values) / blitz)) / (1 - ratio)
        values.append(round(1000 + 1000 * curve))
    values.append(2000)
    return tuple(_made_concave(values))


def _made_concave(values: list[int]) -> list[int]:
    """Raise inner values by single steps until no gain exceeds the gain before it."""
    todo = list(range(len(values) - 2, 0, -1))
    while todo:
        place = todo.pop()
        if 2 * values[place] < values[place - 1] + values[place + 1]:
            values[place] += 1
            todo += [near for near in (place + 1, place, place - 1) if 0 < near < len(values) - 1]
    return values
