"""Endings: from deals and back, canonical form, numbers, tricks."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from setrograde.bridge import Deal, InvalidDeal, Seat, Strain
from setrograde.db.endings.shapes import Shape, iter_shapes
from setrograde.db.endings.states import (
    Ending,
    EndingCard,
    InvalidEnding,
    iter_endings,
    rank_string,
    unrank_string,
)

EMPTY = Ending(("", "", "", ""))
NOTHING = (0, 0, 0, 0)


def test_owners_are_counted_from_the_leader() -> None:
    deal = Deal.from_pbn("N:A9... KT... QJ... 87...")
    owners = [Ending.from_deal(deal, Strain.NOTRUMP, seat).suits[3] for seat in Seat]
    assert owners == ["01221033", "30110322", "23003211", "12332100"]


def test_ranks_are_relative() -> None:
    high = Deal.from_pbn("N:A... K... Q... J...")
    low = Deal.from_pbn("N:9... 7... 3... 2...")
    assert Ending.from_deal(high, Strain.SPADES, Seat.WEST) == Ending.from_deal(
        low, Strain.SPADES, Seat.WEST
    )


def test_the_trump_suit_comes_last_and_the_others_keep_their_order() -> None:
    deal = Deal.from_pbn("N:A... .A.. ..A. ...A")
    assert Ending.from_deal(deal, Strain.DIAMONDS, Seat.NORTH) == Ending(("3", "1", "0", "2"), True)
    assert Ending.from_deal(deal, Strain.NOTRUMP, Seat.NORTH) == Ending(("3", "2", "1", "0"))


def test_an_ending_whose_trumps_are_gone_is_a_notrump_ending() -> None:
    deal = Deal.from_pbn("N:A... K... Q... J...")
    assert not Ending.from_deal(deal, Strain.HEARTS, Seat.NORTH).has_trumps
    assert Ending(("0123", "", "", ""), True).canonical() == Ending(("", "", "", "0123"))


def test_hands_of_different_length_are_refused() -> None:
    deal = Deal.from_pbn("N:AK... Q... J... T...")
    with pytest.raises(InvalidDeal, match="North 2, East 1"):
        Ending.from_deal(deal, Strain.NOTRUMP, Seat.NORTH)


def test_a_deal_without_cards_is_the_last_ending() -> None:
    empty = Deal.from_pbn("N:... ... ... ...")
    assert Ending.from_deal(empty, Strain.SPADES, Seat.EAST) == EMPTY
    assert EMPTY.rank() == 0
    assert list(EMPTY.iter_successors()) == []


@pytest.mark.parametrize(
    ("suits", "why"),
    [
        (("", "", ""), "expected four suits"),
        (("", "", "", "01x3"), "'x' in '01x3'"),
        (("", "", "", "0123" * 4), "more than 13"),
        (("", "", "", "0122"), r"\(1, 1, 2, 0\)"),
        (("", "", "", "012٣"), "not an owner"),
    ],
)
def test_strings_that_make_no_ending_are_refused(suits: object, why: str) -> None:
    with pytest.raises(InvalidEnding, match=why):
        Ending(suits)  # type: ignore[arg-type]


def test_suits_of_equal_split_are_ordered_by_their_owner_strings() -> None:
    forms = {Ending((a, b, c, "32")) for a, b, c in permutations(("10", "01", "23"))}
    assert {form.canonical() for form in forms} == {Ending(("23", "32", "01", "10"))}


def test_a_trump_suit_is_not_exchanged_with_an_equal_side_suit() -> None:
    one = Ending(("", "", "0123", "3210"), True)
    other = Ending(("", "", "3210", "0123"), True)
    assert one.canonical() != other.canonical()
    assert Ending(one.suits).canonical() == Ending(other.suits).canonical()


@pytest.mark.parametrize("tricks", [1, 2])
def test_endings_are_listed_once_each_and_in_canonical_form(tricks: int) -> None:
    listed = list(iter_endings(tricks))
    assert len(set(listed)) == len(listed) == {1: 209, 2: 87_162}[tricks]
    assert all(ending.is_canonical for ending in listed)


def test_numbers_within_each_shape_of_one_trick_have_no_gaps() -> None:
    for shape in iter_shapes(1):
        endings = [Ending.from_rank(shape, rank) for rank in range(shape.states)]
        assert [ending.rank() for ending in endings] == list(range(shape.states))
        assert {ending.shape for ending in endings} == {shape}


@pytest.mark.parametrize("has_trumps", [False, True])
def test_numbers_of_shapes_with_exchangeable_suits_have_no_gaps(has_trumps: bool) -> None:
    even = (1, 1, 1, 1)
    for suits in ((NOTHING, NOTHING, even, even), (NOTHING, even, even, even), (even,) * 4):
        shape = Shape(suits, has_trumps)
        ranks = range(0, shape.states, 1 + shape.states // 1000)
        endings = [Ending.from_rank(shape, rank) for rank in ranks]
        assert all(ending.is_canonical for ending in endings)
        assert [ending.rank() for ending in endings] == list(ranks)
        with pytest.raises(InvalidEnding, match=f"{shape.states} .expected 0 to"):
            Ending.from_rank(shape, shape.states)


def test_the_last_state_of_a_huge_shape_is_found() -> None:
    shape = Shape(((3, 3, 3, 4), (3, 3, 4, 3), (3, 4, 3, 3), (4, 3, 3, 3)), True)
    assert shape.states == 1_201_200**4
    last = Ending.from_rank(shape, shape.states - 1)
    assert last.suits[0] == "3333222111000"
    assert last.rank() == shape.states - 1


def test_only_canonical_shapes_number_their_states() -> None:
    shape = Shape(((1, 1, 1, 1), NOTHING, NOTHING, NOTHING), False)
    with pytest.raises(InvalidEnding, match="not canonical"):
        Ending.from_rank(shape, 0)


def test_owner_strings_are_numbered_as_in_a_dictionary() -> None:
    words = sorted({"".join(word) for word in permutations("0012233")})
    assert [rank_string(word) for word in words] == list(range(len(words)))
    assert [unrank_string((2, 1, 2, 2), rank) for rank in range(len(words))] == words
    with pytest.raises(InvalidEnding, match=r"630 .expected 0 to 629"):
        unrank_string((2, 1, 2, 2), len(words))


def test_a_player_follows_suit_if_he_can_and_else_plays_what_he_likes() -> None:
    ending = Ending(("", "0", "0131", "223"))
    lead = EndingCard(2, 0)
    assert ending.legal_cards() == (EndingCard(1, 0), lead)
    assert ending.legal_cards([lead]) == (EndingCard(2, 1), EndingCard(2, 3))
    second = EndingCard(2, 1)
    assert ending.legal_cards([lead, second]) == (EndingCard(3, 0), EndingCard(3, 1))
    assert ending.legal_cards([lead, second, EndingCard(3, 0)]) == (EndingCard(2, 2),)
    discards = ending.legal_cards([EndingCard(1, 0), second, EndingCard(3, 0)])
    assert discards == (EndingCard(2, 2), EndingCard(3, 2))


def test_the_trick_is_over_after_four_cards() -> None:
    ending = Ending(("", "", "", "0123"))
    trick = [EndingCard(3, place) for place in range(4)]
    assert ending.after(trick) == (0, EMPTY)
    with pytest.raises(InvalidEnding, match="trick is over"):
        ending.legal_cards(trick)
    with pytest.raises(InvalidEnding, match="3 cards"):
        ending.after(trick[:3])


def test_the_winner_leads_next_and_is_player_0() -> None:
    ending = Ending(("", "", "2013", "0231"))
    trick = [EndingCard(2, 1), EndingCard(2, 2), EndingCard(2, 0), EndingCard(2, 3)]
    winner, below = ending.after(trick)
    assert winner == 2
    assert below == Ending(("", "", "", "2013"))


def test_a_void_player_may_ruff() -> None:
    ending = Ending(("", "", "012", "3"), has_trumps=True)
    (successor,) = ending.iter_successors()
    assert successor.winner == 3
    (successor,) = Ending(ending.suits).iter_successors()
    assert successor.winner == 0


def test_a_lower_ruff_does_not_win() -> None:
    ending = Ending(("", "", "02", "31"), has_trumps=True)
    (successor,) = ending.iter_successors()
    assert successor.winner == 3


@pytest.mark.parametrize("card", [(3, 0), (2, 1), (0, 0), (2, 9)])
def test_illegal_cards_are_refused(card: tuple[int, int]) -> None:
    ending = Ending(("", "", "1032", "1032"))
    rest = [EndingCard(2, 1), EndingCard(*card), EndingCard(2, 3), EndingCard(2, 2)]
    with pytest.raises(InvalidEnding, match="illegal card"):
        ending.after(rest)


def test_example_deals_use_the_highest_ranks_from_clubs_to_spades() -> None:
    ending = Ending(("", "3", "2", "01"), has_trumps=True)
    assert ending.to_deal().to_pbn() == "N:A... K... .A.. ..A."
    assert ending.to_deal(Seat.SOUTH).to_pbn(Seat.SOUTH) == "S:A... K... .A.. ..A."
    assert ending.strain is Strain.SPADES
    assert Ending(ending.suits).strain is Strain.NOTRUMP


def test_successors_are_as_many_as_legal_plays() -> None:
    # Player 0 leads one of three clubs or a spade; in clubs 3 x 3 x 3 answers, in spades one each.
    ending = Ending(("", "", "012301230123", "0123"))
    assert sum(1 for _ in ending.iter_successors()) == 3**4 + 1
    rng = Random(5)
    for successor in rng.sample(list(ending.iter_successors()), 20):
        assert ending.after(successor.cards) == (successor.winner, successor.below)
        assert successor.below.tricks == 3
