"""Auctions: calls in turn, legal by construction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ._text import from_value, is_tuple_of
from .calls import Call, CallLike, Contract, Doubling, as_call
from .cards import Seat, SeatLike, Strain, as_seat
from .errors import InvalidAuction, InvalidCall

__all__ = ["Annotation", "Auction", "AuctionLike", "as_auction", "passes_to_end"]

_STRAINS = tuple(Strain)
_DOUBLINGS = tuple(Doubling)


@dataclass(frozen=True, slots=True)
class Annotation:
    """What was said about one call: whether it was alerted, and how it was explained.

    >>> Annotation(alerted=True, text="transfer")
    Annotation(alerted=True, text='transfer')
    """

    alerted: bool = False
    """True if the call was alerted."""

    text: str = ""
    """The explanation, empty if there is none."""


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, starting with the dealer.

    >>> auction = Auction.from_text("1H Pass 4H", dealer="N")
    >>> auction.turn, auction.is_over, auction.is_legal("3NT")
    (Seat.WEST, False, False)
    >>> done = auction.with_call("Pass").with_call("Pass").with_call("Pass")
    >>> done.contract
    Contract.from_text('4HN')
    """

    dealer: Seat
    """The player who calls first."""

    calls: tuple[Call, ...] = ()
    """The calls in turn, clockwise from the dealer."""

    annotations: tuple[Annotation | None, ...] = ()
    """One annotation or `None` for each call; empty if no call has one."""

    if TYPE_CHECKING:

        def __init__(
            self,
            dealer: SeatLike,
            calls: Iterable[CallLike] | str = (),
            annotations: tuple[Annotation | None, ...] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.dealer) is not Seat:
            object.__setattr__(self, "dealer", as_seat(self.dealer))
        if not is_tuple_of(Call, self.calls):
            object.__setattr__(self, "calls", _as_calls(self.calls))
        if self.annotations and len(self.annotations) != len(self.calls):
            raise InvalidAuction(
                f"{len(self.annotations)} annotations for {len(self.calls)} calls"
                " (expected one each)"
            )
        highest, bidder, doubling, passes, opened = 2, 0, 0, 0, False
        for turn, call in enumerate(self.calls):
            index = call.index
            if passes >= 3 and (opened or passes == 4):
                raise InvalidAuction(self._where(turn, "the auction is over"))
            if index == 0:
                passes += 1
                continue
            if index >= 3:
                if index <= highest:
                    lowest = Call(highest)
                    raise InvalidAuction(self._where(turn, f"not higher than {lowest}"))
                highest, bidder, doubling, opened = index, turn, 0, True
            elif index == 1:
                if not opened or doubling or not (turn - bidder) & 1:
                    raise InvalidAuction(self._where(turn, "no bid of the other side to double"))
                doubling = 1
            else:
                if doubling != 1 or (turn - bidder) & 1:
                    raise InvalidAuction(self._where(turn, "no double of the other side"))
                doubling = 2
            passes = 0

    def _after_passes(self, count: int) -> Auction:
        """The same calls after `count` passes; legal if they begin with a bid and `count` < 4."""
        auction = object.__new__(Auction)
        put = object.__setattr__
        put(auction, "dealer", self.dealer)
        put(auction, "calls", (Call.PASS,) * count + self.calls)
        put(auction, "annotations", self.annotations and (None,) * count + self.annotations)
        return auction

    def _where(self, turn: int, why: str) -> str:
        seat = self.dealer.next_by(turn).name.title()
        return f"illegal call: {str(self.calls[turn])!r} by {seat} as call {turn + 1}: {why}"

    @classmethod
    def from_text(cls, text: str, dealer: SeatLike) -> Auction:
        """Read calls separated by spaces or commas; `AP` is all pass."""
        return cls(dealer, text)

    @property
    def turn(self) -> Seat:
        """The player whose call is next, if the auction is not over."""
        return self.dealer.next_by(len(self.calls))

    @property
    def is_over(self) -> bool:
        """True after three passes that follow a bid, or after four passes at the start."""
        calls = self.calls
        if len(calls) < 4:
            return False
        return not (calls[-1].index or calls[-2].index or calls[-3].index)

    @property
    def contract(self) -> Contract | None:
        """The final contract, or `None` while the auction goes on."""
        return self.contract_so_far if self.is_over else None

    @property
    def contract_so_far(self) -> Contract:
        """The contract if everybody passed from here.

        >>> Auction.from_text("1H X", dealer="E").contract_so_far
        Contract.from_text('1HXE')
        """
        calls = self.calls
        last = len(calls) - 1
        doubling = 0
        while last >= 0 and calls[last].index < 3:
            doubling = max(doubling, calls[last].index)
            last -= 1
        if last < 0:
            return Contract.PASSED_OUT
        index = calls[last].index
        strain = (index - 3) % 5
        first = last & 1
        while calls[first].index < 3 or (calls[first].index - 3) % 5 != strain:
            first += 2
        return Contract(
            (index - 3) // 5 + 1, _STRAINS[strain], self.dealer.next_by(first), _DOUBLINGS[doubling]
        )

    def is_legal(self, call: CallLike) -> bool:
        """True if `call` may be made now."""
        try:
            self.with_call(call)
        except InvalidAuction:
            return False
        return True

    def legal_calls(self) -> tuple[Call, ...]:
        """Every call that may be made now; empty if the auction is over.

        >>> len(Auction("N").legal_calls())
        36
        """
        return tuple(call for call in Call.ALL if self.is_legal(call))

    def with_call(self, call: CallLike, annotation: Annotation | None = None) -> Auction:
        """The auction after one more call."""
        annotations = self.annotations
        if annotations or annotation is not None:
            annotations = (annotations or (None,) * len(self.calls)) + (annotation,)
        return replace(self, calls=(*self.calls, as_call(call)), annotations=annotations)

    def annotation(self, turn: int) -> Annotation | None:
        """The annotation of call number `turn`, counted from 0, or `None`."""
        return self.annotations[turn] if self.annotations else None

    def __iter__(self) -> Iterator[tuple[Seat, Call]]:
        """Pairs of seat and call, in turn."""
        return ((self.dealer.next_by(turn), call) for turn, call in enumerate(self.calls))

    def __len__(self) -> int:
        return len(self.calls)

    def __str__(self) -> str:
        return " ".join([str(call) for call in self.calls])

    def _repr_html_(self) -> str:
        from .display import auction_html

        return auction_html(self)


def passes_to_end(calls: Sequence[Call]) -> int:
    """The number of passes that end the auction after `calls`: what "all pass" stands for.

    >>> passes_to_end([]), passes_to_end([Call.from_text("1H"), Call.PASS])
    (4, 2)
    """
    passes = 0
    for call in reversed(calls):
        if call.index:
            break
        passes += 1
    return max(0, (4 if passes == len(calls) else 3) - passes)


AuctionLike: TypeAlias = Auction | str


def as_auction(auction: AuctionLike, dealer: SeatLike) -> Auction:
    """Return an auction as it is, or that of a text such as `"1C P 1H P"` and its dealer.

    >>> as_auction("1NT AP", "W").contract
    Contract.from_text('1NTW')
    """
    if isinstance(auction, Auction):
        return auction
    return from_value(auction, Auction, lambda text: Auction(dealer, text), "'1C P 1H'")


def _as_calls(calls: Iterable[CallLike] | str) -> tuple[Call, ...]:
    """Calls from a text, in which `AP` is all pass, or from a list of calls and texts."""
    words = calls.replace(",", " ").split() if isinstance(calls, str) else calls
    found: list[Call] = []
    for word in words:
        if isinstance(word, str) and word.upper() == "AP":
            found += [Call.PASS] * passes_to_end(found)
            continue
        try:
            found.append(as_call(word))
        except InvalidCall as error:
            raise InvalidAuction(str(error)) from None
    return tuple(found)
