"""Par: the result of a board when both sides bid perfectly, seeing all four hands.

The auction is a game. A bid that fails is doubled, one that makes is not, and either side may
always bid on. Solved backwards from 7NT: the value of a bid is what the opponents make of it,
passing or bidding higher. Only sides matter, not seats: each contract is played by whichever
partner takes more tricks in it, as is usual for par.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from setrograde.bridge import (
    Contract,
    Doubling,
    InvalidContract,
    InvalidInput,
    Seat,
    Side,
    Strain,
    TrickTable,
)
from setrograde.bridge.coerce import (
    ContractLike,
    SeatLike,
    VulnerabilityLike,
    as_contract,
    as_seat,
    as_vulnerability,
)
from setrograde.bridge.scoring import score_board

__all__ = ["Par", "ParContract", "par"]


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract that earns par, at the lowest level that does.

    Where the result is an overtrick or more, bidding those tricks earns the same:
    `1S+2` stands for 1S, 2S and 3S.

    >>> contract = ParContract(1, Strain.SPADES, (Seat.EAST, Seat.WEST), 9)
    >>> str(contract), contract.overtricks, contract.doubling
    ('EW 1S+2', 2, Doubling.UNDOUBLED)
    >>> str(ParContract(5, Strain.HEARTS, (Seat.NORTH,), 9))
    'N 5HX-2'
    """

    level: int
    """1 to 7."""

    strain: Strain
    """Trumps or notrump."""

    declarers: tuple[Seat, ...]
    """One player, or both of a side where it makes no difference."""

    tricks_declarer: int
    """The number of tricks declarer takes."""

    def __post_init__(self) -> None:
        if len({seat.side for seat in self.declarers}) != 1:
            names = " ".join([str(seat) for seat in self.declarers])
            raise InvalidInput(f"not declarers of one side: {names!r} (expected like 'N' or 'E W')")

    @property
    def side(self) -> Side:
        """The side that plays it."""
        return self.declarers[0].side

    @property
    def overtricks(self) -> int:
        """Tricks beyond the contract, negative if it fails."""
        return self.tricks_declarer - self.level - 6

    @property
    def doubling(self) -> Doubling:
        """Doubled if it fails."""
        return Doubling.DOUBLED if self.overtricks < 0 else Doubling.UNDOUBLED

    def contracts(self) -> tuple[Contract, ...]:
        """One for each declarer.

        >>> ParContract(3, Strain.NOTRUMP, (Seat.NORTH, Seat.SOUTH), 9).contracts()
        (Contract.from_text('3NTN'), Contract.from_text('3NTS'))
        """
        return tuple(
            [Contract(self.level, self.strain, seat, self.doubling) for seat in self.declarers]
        )

    @property
    def pretty(self) -> str:
        """With a suit symbol, like `EW 1♠+2`."""
        return self._written(self.strain.symbol)

    def __contains__(self, contract: ContractLike) -> bool:
        """True if `contract` earns the same as this one, by the same declarer.

        Text may name the declarer, the side or neither.

        >>> best = ParContract(1, Strain.SPADES, (Seat.EAST, Seat.WEST), 9)
        >>> "3SE" in best, "3S" in best, "EW 3S" in best, "4S" in best
        (True, True, True, False)
        """
        asked, declarers, tricks = _asked(contract)
        return (
            asked.strain is self.strain
            and not asked.is_passed_out
            and any(seat in self.declarers for seat in declarers)
            and asked.doubling is self.doubling
            and tricks in (None, self.tricks_declarer)
            and self.level <= asked.level <= self.level + max(0, self.overtricks)
        )

    def __str__(self) -> str:
        return self._written(str(self.strain))

    def _written(self, strain: str) -> str:
        who = str(self.side) if len(self.declarers) == 2 else str(self.declarers[0])
        result = f"{self.overtricks:+d}" if self.overtricks else ""
        return f"{who} {self.level}{strain}{self.doubling}{result}"


@dataclass(frozen=True, slots=True)
class Par:
    """The par score and every contract that reaches it.

    >>> result = Par(-110, (ParContract(2, Strain.SPADES, (Seat.EAST, Seat.WEST), 8),))
    >>> result.contract_text, result.score_text
    ('EW 2S', 'NS -110')
    >>> print(result)
    Par NS -110: EW 2S
    >>> "2SW" in result, "2♠" in result, "EW 2S" in result, "4SW" in result
    (True, True, True, False)
    """

    score_ns: int
    """Points for North-South."""

    contracts: tuple[ParContract, ...]
    """Lowest first; empty if par is to pass the board out."""

    @property
    def is_passed_out(self) -> bool:
        """True if neither side gains by bidding."""
        return not self.contracts

    @property
    def contract_text(self) -> str:
        """As the PBN tag `ParContract` has it: `EW 1S+2`, several with commas, or `Pass`."""
        return ",".join([str(contract) for contract in self.contracts]) or "Pass"

    @property
    def score_text(self) -> str:
        """As the PBN tag `OptimumScore` has it: `NS -110`."""
        return f"NS {self.score_ns}"

    def __contains__(self, contract: ContractLike) -> bool:
        """True if `contract` is one of the par contracts, or one that earns the same.

        Text may name the declarer (`3DN`), the side (`NS 3D+1`, as par is printed) or neither
        (`3D`: by anyone). A contract that fails is par only if doubled: `5HX`.
        """
        if _asked(contract)[0].is_passed_out:
            return self.is_passed_out
        return any(contract in best for best in self.contracts)

    def __str__(self) -> str:
        return f"Par {self.score_text}: {self.contract_text.replace(',', ', ')}"

    def _repr_html_(self) -> str:
        from setrograde.bridge.display.html import coloured

        contracts = ", ".join([contract.pretty for contract in self.contracts]) or "Pass"
        return f"<div>Par <b>{self.score_text}</b>: {coloured(contracts)}</div>"


def par(table: TrickTable, dealer: SeatLike, vulnerability: VulnerabilityLike) -> Par:
    """Par of a board from its double-dummy results.

    The dealer matters where both sides profit from bidding first. A contract is listed if it
    scores par and the other side, bidding on, would lose by it; a cheap sacrifice over which
    they could still bid their game without loss is not.

    >>> table = TrickTable.from_function(lambda seat, strain: 7)
    >>> par(table, "E", "none").score_ns
    -90
    >>> par(table, "N", "none").contract_text
    'NS 1NT'
    """
    if not isinstance(table, TrickTable):
        raise InvalidInput(f"not a table: {table!r} (expected a TrickTable, as solve_table gives)")
    dealer, vulnerability = as_seat(dealer), as_vulnerability(vulnerability)
    # Every score below is for North-South.
    best: dict[Side, int | None] = dict.fromkeys(Side)
    final: list[tuple[int, ParContract]] = []
    for level, strain in _BIDS_HIGH_FIRST:
        values: dict[Side, int] = {}
        for side in Side:
            contract = _best_declarers(table, side, level, strain)
            passed = score_board(contract.contracts()[0], contract.tricks_declarer, vulnerability)
            outbid = best[side.opponents]
            values[side] = _better(side.opponents, passed, outbid)
            if values[side] == passed and outbid != passed:
                final.append((passed, contract))
        best = {side: _better(side, values[side], best[side]) for side in Side}
    first = dealer.side
    opened_second = _better(first.opponents, 0, best[first.opponents])
    score_ns = _better(first, opened_second, best[first])
    lowest = {
        (contract.strain, contract.side): contract for score, contract in final if score == score_ns
    }
    return Par(score_ns, tuple(sorted(lowest.values(), key=_height)))


_BIDS_HIGH_FIRST = tuple(
    (level, strain) for level in range(7, 0, -1) for strain in reversed(Strain)
)


_WHO = {
    **{text: (seat,) for seat in Seat for text in (str(seat), seat.name)},
    **{text: side.seats for side in Side for text in (str(side), "-".join(str(side)))},
}
_ASKED = re.compile(
    r"(?:(?P<before>NS|EW|N-S|E-W|NORTH|EAST|SOUTH|WEST|[NESW])\s+)?"
    r"(?P<bid>[1-7]\s*(?:NT?|[CDHS♣♦♥♠])\s*(?:XX|X|\*\*|\*|))\s*"
    r"(?P<result>[+-][0-9]{1,2}|=|)\s*"
    r"(?:BY\s+)?(?P<after>NS|EW|N-S|E-W|NORTH|EAST|SOUTH|WEST|[NESW]|)"
)
"""A contract, perhaps with its side or declarer before or after it, and with its result."""


def _asked(contract: ContractLike) -> tuple[Contract, tuple[Seat, ...], int | None]:
    """The contract asked about, who may play it, and declarer's tricks if a result is given."""
    match = _ASKED.fullmatch(contract.strip().upper()) if isinstance(contract, str) else None
    if match is None:
        try:
            asked = as_contract(contract, Seat.NORTH)
        except InvalidContract:
            raise InvalidContract(
                f"not a contract: {contract!r} (expected like '3D', '3DN' or 'NS 3D')"
            ) from None
        return asked, (asked.declarer,), None
    declarers = [
        seat
        for seat in Seat
        if all(seat in _WHO[who] for who in (match["before"], match["after"]) if who)
    ]
    asked = Contract.from_text(match["bid"], Seat.NORTH)
    result = match["result"].replace("=", "0")
    return asked, tuple(declarers), asked.tricks_needed + int(result) if result else None


def _better(side: Side, score_ns: int, other_ns: int | None) -> int:
    """Whichever score for North-South `side` likes more; `None` is no choice."""
    if other_ns is None:
        return score_ns
    return max(score_ns, other_ns) if side is Side.NS else min(score_ns, other_ns)


def _best_declarers(table: TrickTable, side: Side, level: int, strain: Strain) -> ParContract:
    tricks = {seat: table.tricks(seat, strain) for seat in side.seats}
    most = max(tricks.values())
    return ParContract(level, strain, tuple([s for s in tricks if tricks[s] == most]), most)


def _height(contract: ParContract) -> tuple[int, int]:
    return (contract.level, contract.strain)
