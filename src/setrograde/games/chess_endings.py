"""Chess endings: king and queen, rook or pawn against king.

White is player 0. A board has 64 letters, a8 first; white pieces are capital. Boards with the two
kings alone are drawn and belong to every ending, because a piece can be taken. A pawn may become a
queen or a rook: a bishop or a knight could only draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from setrograde.sets import BoardSet, Change, Move, Moves

from .board_game import BoardGame, Step
from .errors import InvalidGame
from .grid import ALL_DIRECTIONS, STRAIGHT, Grid

__all__ = ["ChessEnding"]

_PIECES = {"KQK": "Q", "KRK": "R", "KPK": "PQR"}
_RAYS = {"Q": ALL_DIRECTIONS, "R": STRAIGHT}
_PAWN_STRIKES = ((-1, 1), (1, 1))
_GRID = Grid(8, 8)
_EMPTY = ((".", "."),)


def _stay(letter: str) -> tuple[tuple[str, str], ...]:
    return ((letter, letter),)


class ChessEnding(BoardGame):
    """The endings KQK, KRK and KPK, with mate and stalemate.

    >>> game = ChessEnding("KQK")
    >>> (game.legal(0) & game.space.with_count("Q", least=1)).count
    144508
    """

    name = "chess"
    stuck_loses = False

    def __init__(self, ending: str, *, limit_mb: int = 1024) -> None:
        self.grid = _GRID
        self.pieces = _PIECES[ending]
        super().__init__(ending, [f".Kk{self.pieces}"] * 64, limit_mb=limit_mb)
        # Moves and patterns ask for this too: with any number of pieces they would not fit.
        self._exact = self._one_of_each()
        self._adjacent = self._kings_adjacent()
        self._checked = self._black_in_check()

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> ChessEnding:
        """The ending with these pieces, such as KQK."""
        if size.upper() not in _PIECES:
            raise InvalidGame(
                f"not a chess ending: {size!r} (expected one of {', '.join(_PIECES)})"
            )
        return cls(size.upper(), limit_mb=limit_mb)

    # --- sets ---

    def legal(self, player: int) -> BoardSet:
        """Boards with one king each and at most one piece, the side not to move not in check."""
        found = self._exact - self._adjacent
        return found - self._checked if player == 0 else found

    def _one_of_each(self) -> BoardSet:
        space = self.space
        back_rows = [place for place in range(64) if _GRID.square(place)[1] in (0, 7)]
        sets = [
            space.with_count("K", least=1, most=1),
            space.with_count("k", least=1, most=1),
            space.with_count(self.pieces, most=1),
        ]
        if "P" in self.pieces:
            sets.append(space.with_count("P", most=0, places=back_rows))
        return space.intersection(sets)

    def lost(self, player: int) -> BoardSet:
        """Boards on which black is mated: in check and without a move."""
        if player == 0:
            return self.space.nothing
        can_move = self.moves(1).reverse(self.legal(0))
        return (self.legal(1) & self._checked) - can_move

    def make_moves(self, player: int) -> Moves:
        """Moves from legal boards to legal boards."""
        moves = self._white_moves() if player == 0 else self._black_moves()
        exact = [replace(move, before=self._exact) for move in moves]
        return Moves(self.space, exact, before=self.legal(player), after=self.legal(1 - player))

    def _white_moves(self) -> Iterator[Move]:
        for start in range(64):
            for step in ALL_DIRECTIONS:
                if (end := _GRID.neighbour(start, step)) is not None:
                    yield _shift(start, [], end, "K")
            for piece in set(self.pieces) & set(_RAYS):
                for step in _RAYS[piece]:
                    between: list[int] = []
                    for end in _GRID.iter_ray(start, step):
                        yield _shift(start, between, end, piece)
                        between.append(end)
            if "P" in self.pieces:
                yield from self._pawn_moves(start)

    def _pawn_moves(self, start: int) -> Iterator[Move]:
        row = _GRID.square(start)[1]
        ahead = list(_GRID.iter_ray(start, (0, 1)))
        if 1 <= row <= 5:
            yield _shift(start, [], ahead[0], "P")
        if row == 1:
            yield _shift(start, ahead[:1], ahead[1], "P")
        if row == 6:
            for piece in "QR":
                yield _shift(start, [], ahead[0], "P", becomes=piece)

    def _black_moves(self) -> Iterator[Move]:
        entries = tuple([(letter, "k") for letter in f".{self.pieces}"])
        for start in range(64):
            for step in ALL_DIRECTIONS:
                if (end := _GRID.neighbour(start, step)) is not None:
                    # `after` of all moves asks for one white piece at most, the king not attacked
                    yield Move((Change(start, (("k", "."),)), Change(end, entries)))

    def _kings_adjacent(self) -> BoardSet:
        return self._with_patterns(
            [Change(start, _stay("K")), Change(end, _stay("k"))]
            for start in range(64)
            for step in ALL_DIRECTIONS
            if (end := _GRID.neighbour(start, step)) is not None
        )

    def _black_in_check(self) -> BoardSet:
        return self._with_patterns(self._iter_checks())

    def _iter_checks(self) -> Iterator[list[Change]]:
        for start in range(64):
            for piece in set(self.pieces) & set(_RAYS):
                for step in _RAYS[piece]:
                    between: list[Change] = []
                    for end in _GRID.iter_ray(start, step):
                        yield [
                            Change(start, _stay(piece)),
                            *between,
                            Change(end, _stay("k")),
                        ]
                        between.append(Change(end, _EMPTY))
            for step in _PAWN_STRIKES if "P" in self.pieces else ():
                if (struck := _GRID.neighbour(start, step)) is not None:
                    yield [Change(start, _stay("P")), Change(struck, _stay("k"))]

    def _with_patterns(self, patterns: Iterator[list[Change]]) -> BoardSet:
        """Boards that show one of the patterns: moves that change nothing lead from them."""
        moves = [Move(tuple(pattern), before=self._exact) for pattern in patterns]
        return Moves(self.space, moves).reverse(self.space.everything)

    # --- boards ---

    @property
    def start(self) -> str:
        """Kings and piece at home, black's king in the middle of its side."""
        letters = ["."] * 64
        letters[_GRID.place(4, 0)], letters[_GRID.place(4, 7)] = "K", "k"
        letters[_GRID.place(*{"Q": (3, 0), "R": (0, 0), "P": (4, 1)}[self.pieces[0]])] = (
            self.pieces[0]
        )
        return "".join(letters)

    def is_legal(self, board: str, player: int) -> bool:
        """Whether `legal` has the board, by looking at the pieces."""
        pieces = "".join(sorted(board.replace(".", "")))
        if pieces != "Kk" and (len(pieces) != 3 or not {"K", "k"} <= set(pieces)):
            return False
        if "P" in board[:8] or "P" in board[56:] or _touch(board):
            return False
        return player == 1 or not _is_attacked(board, board.index("k"))

    def has_lost(self, board: str, player: int) -> bool:
        """Whether black is mated."""
        return (
            player == 1
            and _is_attacked(board, board.index("k"))
            and not any(True for _ in self.iter_steps(board, 1))
        )

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves, written as `Kd4`, `Qxe7` or `e8=Q`."""
        for start, letter in enumerate(board):
            if letter == "." or (letter == "k") != (player == 1):
                continue
            for end, becomes in _targets(board, start):
                after = board[:start] + "." + board[start + 1 :]
                after = after[:end] + becomes + after[end + 1 :]
                if _touch(after) or (player == 1 and _is_attacked(after, end)):
                    continue
                taken = "x" if board[end] != "." else ""
                shown = "" if letter == "P" else letter.upper()
                promoted = f"={becomes}" if letter == "P" and becomes != "P" else ""
                yield Step(f"{shown}{taken}{_GRID.name(end)}{promoted}", after)

    # --- text ---

    def to_text(self, board: str) -> str:
        """The rows of the board, the eighth row first."""
        return self.grid.to_rows(board)

    def parse_board(self, text: str) -> str:
        """Read the rows, the eighth first, divided by slashes; digits are empty squares (FEN)."""
        letters = "".join([("." * int(c)) if c in "12345678" else c for c in text])
        return self.check_board("".join(letters.replace("/", " ").split()), text)


def _shift(start: int, between: list[int], end: int, piece: str, *, becomes: str = "") -> Move:
    return Move(
        (
            Change(start, ((piece, "."),)),
            *[Change(place, _EMPTY) for place in between],
            Change(end, ((".", becomes or piece),)),
        )
    )


# --- the same in plain words, for single boards; squares are 8 * row from the top + column ---


def _touch(board: str) -> bool:
    a, b = board.index("K"), board.index("k")
    return max(abs(a // 8 - b // 8), abs(a % 8 - b % 8)) <= 1


def _is_attacked(board: str, target: int) -> bool:
    """Whether a white piece other than the king strikes the square."""
    for start, letter in enumerate(board):
        if letter in "QR" and target in _slide(board, start, letter):
            return True
        if letter == "P" and start // 8 - target // 8 == 1 and abs(start % 8 - target % 8) == 1:
            return True
    return False


def _slide(board: str, start: int, piece: str) -> list[int]:
    """Squares that a queen or rook reaches, with the first piece in each direction."""
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) == (0, 0) or (piece == "R" and down and right):
                continue
            row, column = start // 8 + down, start % 8 + right
            while 0 <= row < 8 and 0 <= column < 8:
                found.append(8 * row + column)
                if board[found[-1]] != ".":
                    break
                row, column = row + down, column + right
    return found


def _targets(board: str, start: int) -> Iterator[tuple[int, str]]:
    """Where a piece may go, and what it is there; whether it leaves a check is not looked at."""
    letter = board[start]
    row, column = divmod(start, 8)
    if letter in "QR":
        for end in _slide(board, start, letter):
            if board[end] == ".":
                yield end, letter
    elif letter == "P":
        if board[start - 8] == ".":
            for becomes in "QR" if row == 1 else "P":
                yield start - 8, becomes
            if row == 6 and board[start - 16] == ".":
                yield start - 16, "P"
    else:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                end = start + 8 * down + right
                if end == start or not (0 <= row + down < 8 and 0 <= column + right < 8):
                    continue
                is_free = board[end] == "." or (letter == "k" and board[end] in "PQR")
                if is_free:
                    yield end, letter
