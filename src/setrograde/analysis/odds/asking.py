"""Which contract is asked about: strain, declarer and tricks, or a contract that says all three."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from setrograde.bridge import Contract, InvalidContract, InvalidInput, Seat, Strain
from setrograde.bridge.coerce import (
    ContractLike,
    SeatLike,
    StrainLike,
    as_contract,
    as_seat,
    as_strain,
)

__all__ = ["asked_contract", "asked_need", "contract_list", "played_contract"]


def played_contract(contract: ContractLike, declarer: SeatLike | None = None) -> Contract:
    """A contract that somebody plays: not a board passed out.

    >>> str(played_contract("3NT", "S"))
    '3NTS'
    """
    found = as_contract(contract, declarer)
    if found.is_passed_out:
        raise InvalidContract("the board is passed out (expected a contract like '4SS')")
    return found


def asked_contract(
    strain: StrainLike | None, declarer: SeatLike | None, contract: ContractLike | None
) -> tuple[Strain, Seat]:
    """Strain and declarer, as they are given or as the contract says.

    >>> asked_contract("NT", "S", None), asked_contract(None, "E", "4H")
    ((Strain.NOTRUMP, Seat.SOUTH), (Strain.HEARTS, Seat.EAST))
    >>> asked_contract("S", None, "3NTS")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: strain S beside the contract 3NTS (expected one of them)
    """
    if contract is None:
        if strain is None or declarer is None:
            raise InvalidInput("no contract (expected strain and declarer, or a contract)")
        return as_strain(strain), as_seat(declarer)
    found = played_contract(contract, declarer)
    if strain is not None and as_strain(strain) is not found.strain:
        raise InvalidInput(
            f"strain {as_strain(strain)} beside the contract {found} (expected one of them)"
        )
    if declarer is not None and as_seat(declarer) is not found.declarer:
        raise InvalidInput(
            f"declarer {as_seat(declarer)} beside the contract {found} (expected one of them)"
        )
    return found.strain, found.declarer


def contract_list(
    contracts: Iterable[ContractLike] | str, declarer: SeatLike | None = None
) -> tuple[Contract, ...]:
    """Contracts to compare: values, or text with commas or spaces between them.

    `declarer` plays those that do not say who does.

    >>> [str(contract) for contract in contract_list("4S N 3NT, pass", "S")]
    ['4SS', '3NTN', 'Pass']
    """
    if isinstance(contracts, str):
        contracts = [" ".join(words) for words in _groups(contracts)]
    listed = tuple(as_contract(contract, declarer) for contract in contracts)
    if not listed:
        raise InvalidInput("no contracts to compare (expected like '4SS 3NTN')")
    return listed


_SEAT_NAMES = {name for seat in Seat for name in (seat.name, seat.name[0])}


def _groups(text: str) -> Iterator[list[str]]:
    """The words of each contract: a seat goes with the bid after it, "by" with both sides."""
    for part in text.replace(";", ",").split(","):
        group: list[str] = []
        for word in part.split():
            before = group[-1].upper() if group else ""
            is_by = word.upper() == "BY" or before == "BY"
            if group and not is_by and before.rstrip(":") not in _SEAT_NAMES:
                yield group
                group = []
            group.append(word)
        if group:
            yield group


def asked_need(need: int | None, contract: ContractLike | None, tricks: int) -> int | None:
    """The tricks that declarer needs, of the `tricks` of the deal; `None` for all numbers.

    The level of a contract counts the tricks of a whole deal. In an ending it says nothing of the
    tricks that are left, so `need` must.

    >>> asked_need(None, "6NTS", 13), asked_need(3, None, 13), asked_need(4, "1NTS", 5)
    (12, 3, 4)
    >>> asked_need(11, "6NTS", 13)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: need 11 beside the contract 6NTS (expected one of them)
    """
    if contract is None:
        return need
    found = played_contract(contract)
    if tricks < 13:
        if need is None:
            raise InvalidInput(
                f"the level of {found} counts 13 tricks, and this ending has {tricks}"
                " (expected need: the tricks declarer needs of these)"
            )
        return need
    if need is None:
        return found.tricks_needed
    if need != found.tricks_needed:
        raise InvalidInput(f"need {need} beside the contract {found} (expected one of them)")
    return need
