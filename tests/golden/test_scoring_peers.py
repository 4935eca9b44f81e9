"""Scores compared with endplay, every contract and result; victory points as published."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from setrograde.bridge import Contract, Doubling, Seat, Strain, Vulnerability
from setrograde.bridge.scoring import score_board, score_contract, victory_points


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    module: ModuleType = pytest.importorskip("endplay.types")
    return module


def peer_score(peer: ModuleType, contract: Contract, tricks: int, vulnerability: str) -> int:
    theirs = peer.Contract(
        level=contract.level,
        denom=peer.Denom.find(str(contract.strain)),
        declarer=peer.Player.find(contract.declarer.letter),
        penalty=peer.Penalty.find(str(contract.doubling)),
        result=tricks - contract.tricks_needed,
    )
    return int(theirs.score(peer.Vul.find(vulnerability)))


@pytest.mark.parametrize("is_vulnerable", [False, True])
@pytest.mark.parametrize("doubling", list(Doubling))
def test_every_contract_and_result_scores_as_at_the_peer(
    peer: ModuleType, doubling: Doubling, is_vulnerable: bool
) -> None:
    vulnerability = "both" if is_vulnerable else "none"
    compared = 0
    for level, strain, tricks in product(range(1, 8), Strain, range(14)):
        contract = Contract(level, strain, Seat.NORTH, doubling)
        ours = score_contract(contract, tricks, is_vulnerable=is_vulnerable)
        assert ours == peer_score(peer, contract, tricks, vulnerability), (contract, tricks)
        compared += 1
    assert compared == 35 * 14


@pytest.mark.parametrize("declarer", list(Seat))
@pytest.mark.parametrize("vulnerability", list(Vulnerability))
def test_board_scores_have_the_sign_and_vulnerability_of_declarers_side(
    peer: ModuleType, declarer: Seat, vulnerability: Vulnerability
) -> None:
    word = ("none", "ns", "ew", "both")[vulnerability]
    sign = 1 if declarer in (Seat.NORTH, Seat.SOUTH) else -1
    for text, tricks in product(("1C", "2SX", "3NT", "5DXX", "6H", "7NTX"), range(14)):
        contract = Contract.from_text(text, declarer)
        expected = sign * peer_score(peer, contract, tricks, word)
        assert score_board(contract, tricks, vulnerability) == expected, (contract, tricks)


def test_victory_points_are_as_published() -> None:
    lines = Path(__file__).with_name("wbf_victory_points.tsv").read_text("utf-8").splitlines()
    assert len(lines) == 12
    for line in lines[1:]:
        boards, margin, points = line.split("\t")
        assert victory_points(int(margin), int(boards))[0] == float(points), line
