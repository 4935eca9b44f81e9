"""What a seat knows, and histories that cannot have happened."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from setrograde.bridge import Board, Card, Contract, Deal, Hand, Play, Seat, Side, Suit
from setrograde.errors import InvalidInput
from setrograde.robot.knowledge import InvalidHistory, Knowledge
from support import random_position

DEAL = Deal("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")


def known(seat: str = "S", **changes: object) -> Knowledge:
    """South's view of 3NT after the first trick, unless told otherwise."""
    given = {
        "seat": seat,
        "contract": "3NTS",
        "hand": DEAL[Seat(seat)],
        "dummy": DEAL["N"],
        "played": "S4 SJ S3 S5",
        **changes,
    }
    return Knowledge(**given)  # type: ignore[arg-type]


def test_declarer_sees_two_hands_and_counts_the_rest() -> None:
    now = known()
    assert now.hidden_seats == (Seat.EAST, Seat.WEST)
    assert now.turn == Seat.NORTH
    assert now.tricks_won(Side.NS) == 1
    assert now.unseen == DEAL["E"] - Hand.from_cards("S3") | DEAL["W"] - Hand.from_cards("S4")
    assert now.cards_left("W") == 12


def test_dummy_s_seat_means_declarer() -> None:
    assert known("N", hand=DEAL["S"]).seat == Seat.SOUTH


def test_before_the_lead_nobody_sees_dummy() -> None:
    now = Knowledge(seat="W", contract="3NTS", hand=DEAL["W"])
    assert now.hidden_seats == (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    assert len(now.legal_cards()) == 13


def test_voids_shown_are_known() -> None:
    now = known("E", played="S4 SJ S3 S5 SQ S7 SK S2 C2 C3 C8 C4 S6 S8 D9 SA")
    assert now.voids == {Seat.SOUTH: (Suit.SPADES,), Seat.WEST: ()}


def test_cards_follow_the_lead() -> None:
    now = known(played="S4")
    assert [str(card) for card in now.legal_cards()] == ["SQ", "SJ", "S6"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"played": "S4 H2"}, "revoke: 'H2' by North as card 2 (expected a card of SPADES)"),
        ({"played": "S4 SJ S3 S5 SQ D4 SK S2 C2 C3 C8 C4 S6 S8"}, "void in SPADES before"),
        ({"played": "S4 SJ S4"}, "played twice: 'S4' by East as card 3"),
        ({"played": "S4 S5"}, "wrong player: 'S5' by North as card 2 (it is with South)"),
        ({"played": "S4 S3"}, "not in the hand: 'S3' by North as card 2"),
        ({"played": "SK"}, "wrong player: 'SK' by West as card 1 (it is with South)"),
        ({"dummy": None}, "no dummy after the opening lead"),
        ({"dummy": "QJ65.K652.J85.T9"}, "card twice: 'S5' is with South and North"),
        ({"hand": "K52.T83.KQ9.A7652"}, "14 cards with South: 'K52.T83.KQ9.A7652' (expected 13)"),
        ({"contract": "Pass"}, "passed out"),
        ({"meanings": {"W": "spades 5+, not SA, hcp 37"}}, "no hand fits the meaning of West"),
        ({"meanings": {"W": "not S4"}}, "West played 'S4', which the meaning denies: not S4"),
    ],
)
def test_impossible_histories_are_one_clear_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        known(**changes)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_hand_that_cannot_hold_its_cards_is_refused() -> None:
    """East shows out of four suits but has cards left: nobody else can hold them."""
    deck = Hand("AKQJT98...")
    with pytest.raises(InvalidHistory, match="no layout fits the voids shown"):
        Knowledge(
            seat="S",
            contract="1NTS",
            hand="AK...",
            dummy="QJ...",
            deck=deck | Hand(".2.."),
            played="S8 SJ H2 SK",
        )


def test_only_cards_in_view_are_used() -> None:
    """Any other deal with the same cards in view gives the same knowledge."""
    rng = Random(5)
    for _ in range(60):
        play = random_position(rng, rng.randint(2, 9))
        contract = Contract(1, play.strain, play.leader.next_by(3))
        board = Board(deal=play.deal, contract=contract, play=play)
        for seat in Seat:
            now = Knowledge.of_board(board, seat)
            other = _redealt(rng, board, now)
            assert Knowledge.of_board(other, seat) == now
            assert Knowledge.of_board(other, seat).turns == now.turns


def _redealt(rng: Random, board: Board, now: Knowledge) -> Board:
    """The board with the unseen cards dealt anew."""
    assert board.deal is not None and board.play is not None
    hidden = now.hidden_seats
    while True:
        cards = list(now.unseen)
        rng.shuffle(cards)
        hands = list(board.deal.hands)
        for seat in hidden:
            own = [cards.pop() for _ in range(now.cards_left(seat))]
            hands[seat] = now.cards_of(seat) | Hand.from_cards(own)
        deal = Deal(hands)
        try:
            play = Play(deal, board.play.strain, board.play.leader, board.play.cards)
        except ValueError:
            continue
        return replace(board, deal=deal, play=play)


def test_a_board_without_contract_is_refused() -> None:
    with pytest.raises(ValueError, match="no contract on the board"):
        Knowledge.of_board(Board(deal=DEAL))


def test_with_card_goes_on() -> None:
    now = Knowledge(seat="E", contract="3NTS", hand=DEAL["E"])
    after = now.with_card("S4", dummy=DEAL["N"])
    assert after.turn == Seat.NORTH
    assert after.turns[0].card == Card("S4")
