"""Calls and contracts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, overload

from ._text import from_value
from .cards import Seat, SeatLike, Strain, StrainLike, as_seat, as_strain
from .errors import InvalidCall, InvalidContract, InvalidInput

__all__ = [
    "Call",
    "CallLike",
    "Contract",
    "ContractLike",
    "Doubling",
    "as_call",
    "as_contract",
]


class Doubling(IntEnum):
    """Undoubled, doubled or redoubled.

    >>> str(Doubling.REDOUBLED), repr(Doubling.DOUBLED)
    ('XX', 'Doubling.DOUBLED')
    """

    if TYPE_CHECKING:  # `_missing_` reads text, which type checkers cannot know
        _value_: int

        def __new__(cls, value: int | str) -> Self: ...

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2

    def __str__(self) -> str:
        return ("", "X", "XX")[self]

    def __repr__(self) -> str:
        return f"Doubling.{self.name}"

    @classmethod
    def _missing_(cls, value: object) -> Doubling:
        texts = [str(doubling) for doubling in cls]
        if isinstance(value, str) and value.upper() in texts:
            return cls(texts.index(value.upper()))
        raise InvalidInput(f"not a doubling: {value!r} (expected '', 'X' or 'XX')")


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """A bid, pass, double or redouble; bids compare by height.

    >>> Call("3nt"), Call("p"), Call("dbl")
    (Call.from_text('3NT'), Call.from_text('Pass'), Call.from_text('X'))
    >>> Call("1S") < Call("2C")
    True
    """

    index: int
    """0 pass, 1 double, 2 redouble, 3 to 37 the bids from 1C to 7NT."""

    PASS: ClassVar[Call]
    DOUBLE: ClassVar[Call]
    REDOUBLE: ClassVar[Call]
    ALL: ClassVar[tuple[Call, ...]]

    if TYPE_CHECKING:

        def __init__(self, index: int | str) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.index, int):
            object.__setattr__(self, "index", as_call(self.index).index)
        if not 0 <= self.index < 38:
            raise InvalidCall(f"not a call number: {self.index} (expected 0 to 37)")

    @classmethod
    def bid(cls, level: int, strain: StrainLike) -> Call:
        """The bid of `level` in `strain`.

        >>> Call.bid(4, "H")
        Call.from_text('4H')
        """
        if not 1 <= level <= 7:
            raise InvalidCall(f"not a level: {level} (expected 1 to 7)")
        return cls.ALL[3 + 5 * (level - 1) + as_strain(strain)]

    @classmethod
    def from_text(cls, text: str) -> Call:
        """Read `Pass`, `P`, `X`, `Dbl`, `XX`, `Rdbl`, `1C` ... `7NT` in either case."""
        call = _CALLS.get(text)
        if call is None:
            call = _CALLS.get(text.upper())
        if call is None:
            raise InvalidCall(f"not a call: {text!r} (expected Pass, X, XX or a bid like 1NT)")
        return call

    @property
    def is_bid(self) -> bool:
        """True unless pass, double or redouble."""
        return self.index >= 3

    @property
    def level(self) -> int | None:
        """1 to 7 for a bid, else `None`."""
        return (self.index - 3) // 5 + 1 if self.index >= 3 else None

    @property
    def strain(self) -> Strain | None:
        """The strain of a bid, else `None`."""
        return Strain((self.index - 3) % 5) if self.index >= 3 else None

    @property
    def pretty(self) -> str:
        """With a suit symbol, like `1♥`."""
        strain = self.strain
        return str(self) if strain is None else f"{self.level}{strain.symbol}"

    def __str__(self) -> str:
        if self.index < 3:
            return ("Pass", "X", "XX")[self.index]
        return f"{self.level}{Strain((self.index - 3) % 5)}"

    def __repr__(self) -> str:
        return f"Call.from_text({str(self)!r})"


Call.ALL = tuple(Call(index) for index in range(38))
Call.PASS, Call.DOUBLE, Call.REDOUBLE = Call.ALL[:3]
_CALLS = {str(call): call for call in Call.ALL}
_CALLS |= {str(call).upper(): call for call in Call.ALL}
_CALLS |= {call.pretty.upper(): call for call in Call.ALL}
_CALLS |= {str(call)[:-1]: call for call in Call.ALL if str(call).endswith("NT")}
_CALLS |= dict.fromkeys(("P", "PASSES", "-"), Call.PASS)
_CALLS |= dict.fromkeys(("D", "DBL", "DOUBLE", "DOUBLES", "*"), Call.DOUBLE)
_CALLS |= dict.fromkeys(("R", "RDBL", "REDOUBLE", "REDOUBLES", "**"), Call.REDOUBLE)
del _CALLS["-"]  # a dash is "no call here" in PBN, never a pass


_CONTRACT = re.compile(
    r"\s*([1-7])\s*(NT?|[CDHS♣♦♥♠])\s*(XX|X|\*\*|\*|)"
    r"\s*(?:BY\s+)?(NORTH|EAST|SOUTH|WEST|[NESW]|)\s*"
)

_SEAT_FIRST = re.compile(r"([NESW])(?:ORTH|AST|OUTH|EST)?[\s:]\s*([1-7].*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Contract:
    """A final bid with its declarer, doubled or not; or a board that was passed out.

    >>> contract = Contract("4SXW")
    >>> contract.level, contract.strain, contract.doubling, contract.declarer
    (4, Strain.SPADES, Doubling.DOUBLED, Seat.WEST)
    >>> Contract("Pass").is_passed_out, str(contract), contract.tricks_needed
    (True, '4SXW', 10)
    """

    level: int
    """1 to 7; 0 if the board was passed out (the other fields then equal `PASSED_OUT`'s)."""

    strain: Strain = None  # type: ignore[assignment]
    """Trumps or notrump; left out where the text of the whole contract is given."""

    declarer: Seat = None  # type: ignore[assignment]
    """The player who plays it; left out likewise, unless the text does not say who it is."""

    doubling: Doubling = Doubling.UNDOUBLED
    """Undoubled, doubled or redoubled."""

    PASSED_OUT: ClassVar[Contract]

    if TYPE_CHECKING:

        @overload
        def __init__(self, level: str, *, declarer: SeatLike | None = None) -> None: ...
        @overload
        def __init__(
            self,
            level: int,
            strain: StrainLike,
            declarer: SeatLike,
            doubling: Doubling | str = Doubling.UNDOUBLED,
        ) -> None: ...
        def __init__(self, *args: object, **kwargs: object) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.level, int):
            contract = as_contract(self.level, self.declarer)
            for name in ("level", "strain", "declarer", "doubling"):
                object.__setattr__(self, name, getattr(contract, name))
        if type(self.strain) is not Strain:
            object.__setattr__(self, "strain", as_strain(self.strain))
        if type(self.declarer) is not Seat:
            object.__setattr__(self, "declarer", as_seat(self.declarer))
        if type(self.doubling) is not Doubling:
            object.__setattr__(self, "doubling", Doubling(self.doubling))
        if not 0 <= self.level <= 7:
            raise InvalidContract(f"not a level: {self.level} (expected 1 to 7, or 0: passed out)")
        if self.level == 0:
            object.__setattr__(self, "strain", Strain.NOTRUMP)
            object.__setattr__(self, "declarer", Seat.NORTH)
            object.__setattr__(self, "doubling", Doubling.UNDOUBLED)

    @classmethod
    def from_text(cls, text: str, declarer: SeatLike | None = None) -> Contract:
        """Read `4S`, `4SX`, `3NTXXN`, `3NT by North`, `N 3NT`, `Pass`.

        A seat in the text beats `declarer`.
        """
        upper = _SEAT_FIRST.sub(r"\2 \1", text.upper().strip())
        if upper in ("PASS", "P", "AP", "PASSED OUT"):
            return cls.PASSED_OUT
        match = _CONTRACT.fullmatch(upper)
        if match is None:
            raise InvalidContract(
                f"not a contract: {text!r} (expected like '4S', '3NTX' or 'Pass')"
            )
        level, strain, doubling, seat = match.groups()
        declarer = seat or declarer
        if declarer is None or declarer == "":
            raise InvalidContract(
                f"no declarer in {text!r} (expected like '4SW', or the declarer given beside it)"
            )
        return cls(int(level), strain, declarer, Doubling(len(doubling)))

    @property
    def is_passed_out(self) -> bool:
        """True if nobody bid."""
        return self.level == 0

    @property
    def tricks_needed(self) -> int:
        """The number of tricks that makes the contract: six more than the level."""
        return self.level + 6

    @property
    def bid(self) -> str:
        """Level, strain and doubling without the declarer, as PBN writes it.

        >>> Contract.from_text("3NTXXN").bid
        '3NTXX'
        """
        return "Pass" if self.is_passed_out else f"{self.level}{self.strain}{self.doubling}"

    @property
    def leader(self) -> Seat:
        """The player who leads to the first trick: the seat after declarer."""
        return self.declarer.next

    @property
    def pretty(self) -> str:
        """With a suit symbol, like `4♠X by West`."""
        if self.is_passed_out:
            return "passed out"
        name = self.declarer.name.title()
        return f"{self.level}{self.strain.symbol}{self.doubling} by {name}"

    def __str__(self) -> str:
        return "Pass" if self.is_passed_out else f"{self.bid}{self.declarer}"

    def __repr__(self) -> str:
        return f"Contract.from_text({str(self)!r})"


Contract.PASSED_OUT = Contract(0, Strain.NOTRUMP, Seat.NORTH)

CallLike: TypeAlias = Call | str
ContractLike: TypeAlias = Contract | str


def as_call(call: CallLike) -> Call:
    """Return a call as it is, or the call that a text such as `"1NT"` names.

    >>> as_call("pass")
    Call.from_text('Pass')
    """
    return call if isinstance(call, Call) else from_value(call, Call, Call.from_text, "'1NT'")


def as_contract(contract: ContractLike, declarer: SeatLike | None = None) -> Contract:
    """Return a contract as it is, or that of a text: `"3NTS"`, or `"3NT"` with a declarer.

    >>> as_contract("4HX", "W") == as_contract("4HXW")
    True
    """
    if isinstance(contract, Contract):
        return contract
    return from_value(contract, Contract, lambda text: Contract.from_text(text, declarer), "'3NTS'")
