"""Which contract is asked about: strain, declarer and tricks, or a contract that says all three."""

from __future__ import annotations

from setrograde.bridge import Contract, InvalidContract, InvalidInput, Seat, Strain
from setrograde.bridge.coerce import (
    ContractLike,
    SeatLike,
    StrainLike,
    as_contract,
    as_seat,
    as_strain,
)

__all__ = ["asked_contract", "asked_need", "played_contract"]


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


def asked_need(need: int | None, contract: ContractLike | None, tricks: int) -> int | None:
    """The tricks that declarer needs, of the `tricks` of the deal; `None` for all numbers.

    In an ending the contract may need more tricks than are left; then `need` says how many.

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
    if need is None:
        return min(found.tricks_needed, tricks)
    if found.tricks_needed <= tricks and need != found.tricks_needed:
        raise InvalidInput(f"need {need} beside the contract {found} (expected one of them)")
    return need
