"""King and piece against king, solved by plain retrograde analysis on squares 0 (a1) to 63 (h8).

A position is (white king, letter of the piece, its square, black king). Work goes backwards from
mates: each undone white move makes a win, and a black position is lost once all its moves are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

Position = tuple[int, str, int, int]

_STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
_DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
_WAYS = {"Q": _STRAIGHT + _DIAGONAL, "R": _STRAIGHT}


def _step(square: int, way: tuple[int, int]) -> int | None:
    column, row = square % 8 + way[0], square // 8 + way[1]
    return 8 * row + column if 0 <= column < 8 and 0 <= row < 8 else None


NEAR = [[s for way in _WAYS["Q"] if (s := _step(k, way)) is not None] for k in range(64)]
RAYS: dict[str, list[list[list[int]]]] = {}
for _letter, _ways in _WAYS.items():
    RAYS[_letter] = []
    for _square in range(64):
        _rays = []
        for _way in _ways:
            _ray, _at = [], _step(_square, _way)
            while _at is not None:
                _ray.append(_at)
                _at = _step(_at, _way)
            _rays.append(_ray)
        RAYS[_letter].append(_rays)


def _slides(letter: str, square: int, *blocked: int) -> Iterator[int]:
    for ray in RAYS[letter][square]:
        for target in ray:
            if target in blocked:
                break
            yield target


def _strikes(letter: str, square: int, target: int, blocker: int) -> bool:
    if letter == "P":
        return target - square in (7, 9) and abs(target % 8 - square % 8) == 1
    return any(target in ray and blocker not in ray[: ray.index(target)]
               for ray in RAYS[letter][square])  # fmt: skip


def _is_legal(position: Position, *, white_to_move: bool) -> bool:
    king, letter, square, black = position
    if king == black or square in (king, black) or black in NEAR[king]:
        return False
    if letter == "P" and not 8 <= square < 56:
        return False
    return not (white_to_move and _strikes(letter, square, black, king))


def _black_moves(position: Position) -> tuple[int, bool]:
    """How many moves black has, and whether he is in check."""
    king, letter, square, black = position
    moves = 0
    for target in NEAR[black]:
        if target != king and target not in NEAR[king]:
            # The king's own square is empty once he has left it, so rays go on through it.
            moves += target == square or not _strikes(letter, square, target, king)
    return moves, _strikes(letter, square, black, king)


def _white_undone(position: Position, letters: str) -> Iterator[Position]:
    king, letter, square, black = position
    for start in NEAR[king]:
        yield start, letter, square, black
    if letter in RAYS:
        for start in _slides(letter, square, king, black):
            yield king, letter, start, black
    if letter in RAYS and "P" in letters and square >= 56:
        yield king, "P", square - 8, black
    if letter == "P":
        if square >= 16:
            yield king, "P", square - 8, black
        if square // 8 == 3 and square - 8 not in (king, black):
            yield king, "P", square - 16, black


def histograms(letters: str) -> tuple[Counter[int], Counter[int]]:
    """Plies to mate of white's wins and of black's losses, the first of `letters` on board."""
    every = [
        (king, letter, square, black)
        for letter in letters
        for king in range(64)
        for square in range(64)
        for black in range(64)
    ]
    white = {p for p in every if _is_legal(p, white_to_move=True)}
    open_moves: dict[Position, int] = {}
    lost: dict[Position, int] = {}
    for position in every:
        if _is_legal(position, white_to_move=False):
            moves, is_check = _black_moves(position)
            if moves:
                open_moves[position] = moves
            elif is_check:
                lost[position] = 0
    won: dict[Position, int] = {}
    fresh, ply = list(lost), 0
    while fresh:
        ply += 1
        wins = {
            p for each in fresh for p in _white_undone(each, letters) if p in white
        } - won.keys()
        won |= dict.fromkeys(wins, ply)
        ply += 1
        fresh = []
        for king, letter, square, black in wins:
            for start in NEAR[black]:
                before = (king, letter, square, start)
                if before in open_moves:
                    open_moves[before] -= 1
                    if not open_moves[before]:
                        lost[before] = ply
                        fresh.append(before)
    first = letters[0]
    return (
        Counter(distance for p, distance in won.items() if p[1] == first),
        Counter(distance for p, distance in lost.items() if p[1] == first),
    )
