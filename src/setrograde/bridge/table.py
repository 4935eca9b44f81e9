"""Tables of double-dummy results: tricks for each declarer and strain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .cards import Seat, SeatLike, Strain, StrainLike
from .errors import InvalidInput

__all__ = ["TrickTable"]


@dataclass(frozen=True, slots=True)
class TrickTable:
    """Declarer's tricks in the 20 contracts of a deal.

    >>> table = TrickTable.from_function(lambda seat, strain: 7)
    >>> table.tricks("N", "NT")
    7
    >>> print(table)
       NT  S  H  D  C
    N   7  7  7  7  7
    E   7  7  7  7  7
    S   7  7  7  7  7
    W   7  7  7  7  7
    """

    rows: tuple[tuple[int, int, int, int, int], ...]
    """A row for each declarer, N, E, S, W; each row has the tricks in C, D, H, S, NT."""

    def __post_init__(self) -> None:
        if len(self.rows) != 4 or any(len(row) != 5 for row in self.rows):
            raise InvalidInput(f"not a table: {self.rows!r} (expected 4 rows of 5 results)")
        for row in self.rows:
            for tricks in row:
                if not 0 <= tricks <= 13:
                    raise InvalidInput(f"not a number of tricks: {tricks} (expected 0 to 13)")

    @classmethod
    def from_function(cls, tricks: Callable[[Seat, Strain], int]) -> TrickTable:
        """Fill all 20 places by calling `tricks(declarer, strain)`."""
        rows = []
        for seat in Seat:
            c, d, h, s, nt = (tricks(seat, strain) for strain in Strain)
            rows.append((c, d, h, s, nt))
        return cls(tuple(rows))

    def tricks(self, declarer: SeatLike, strain: StrainLike) -> int:
        """The number of tricks declarer takes with best play by both sides."""
        seat = declarer if type(declarer) is Seat else Seat(declarer)
        return self.rows[seat][strain if type(strain) is Strain else Strain(strain)]

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The table as JSON shows it: `{"N": {"NT": 7, "S": ...}, ...}`."""
        return {
            str(seat): {str(strain): self.rows[seat][strain] for strain in reversed(Strain)}
            for seat in Seat
        }

    def __str__(self) -> str:
        lines = ["   NT  S  H  D  C"]
        for seat in Seat:
            lines.append(
                f"{seat} " + "".join(f" {tricks:2}" for tricks in reversed(self.rows[seat]))
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from .display import table_html

        return table_html(self)
