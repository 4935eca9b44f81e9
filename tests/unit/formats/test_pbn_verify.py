"""What the verifier says of odd games; the conformance suites are in tests/golden."""

from __future__ import annotations

from setrograde.formats.pbn import verify_pbn


def test_a_contract_without_a_level_beside_an_auction_is_reported() -> None:
    game = b'[Dealer "N"][Declarer "N"][Contract "HX"][Auction "N"]\n1H X AP\n'
    assert "bad Contract" in [problem.message for problem in verify_pbn(game)]


def test_an_irregular_auction_beside_a_bad_contract_does_not_raise() -> None:
    game = b'[Dealer"N"][Contract"HX"][Auction"W"]^S1D^I1C\n4S^I3NT^ AP'
    assert verify_pbn(game)
