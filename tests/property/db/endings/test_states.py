"""Laws of endings: relabelling, numbering, and agreement with the play of real cards."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oracle.play import replay
from setrograde.bridge import Card, Deal, Hand, Play, Rank, Seat, Strain, Suit
from setrograde.db.endings.shapes import Shape, rank_shape, unrank_shape
from setrograde.db.endings.states import Ending
from support import random_position

seeds = st.integers(0, 2**32)


def positions(max_tricks: int) -> st.SearchStrategy[Play]:
    """Positions between tricks."""
    return st.builds(
        lambda seed, tricks: random_position(Random(seed), tricks, on_table=0),
        seeds,
        st.integers(1, max_tricks),
    )


def ending_of(play: Play) -> Ending:
    return Ending.from_deal(play.remaining, play.strain, play.turn)


@given(positions(13), st.permutations(list(Suit)))
def test_other_names_for_the_suits_give_the_same_canonical_ending(
    play: Play, names: list[Suit]
) -> None:
    n, e, s, w = (
        Hand.from_cards(Card(names[card.suit], card.rank) for card in hand)
        for hand in play.remaining
    )
    trumps = play.strain.suit
    strain = Strain.NOTRUMP if trumps is None else names[trumps].strain
    renamed = Ending.from_deal(Deal((n, e, s, w)), strain, play.turn)
    assert renamed.canonical() == ending_of(play).canonical()
    assert renamed.rank() == ending_of(play).rank()


@given(positions(13), st.integers(0, 3))
def test_turning_the_table_gives_the_same_ending(play: Play, steps: int) -> None:
    turned = Ending.from_deal(play.remaining.rotate(steps), play.strain, play.turn.next_by(steps))
    assert turned == ending_of(play)


@given(positions(13), st.sampled_from(Seat))
def test_the_example_deal_of_an_ending_has_that_ending(play: Play, leader: Seat) -> None:
    ending = ending_of(play).canonical()
    deal = ending.to_deal(leader)
    assert Ending.from_deal(deal, ending.strain, leader) == ending


@given(positions(13))
def test_canonical_forms_stay_and_have_canonical_shapes(play: Play) -> None:
    ending = ending_of(play).canonical()
    assert ending.canonical() == ending
    assert ending.shape == ending_of(play).shape.canonical()
    assert Ending(ending.suits, ending.has_trumps) == ending


@given(positions(13))
def test_the_number_of_a_state_leads_back_to_it(play: Play) -> None:
    ending = ending_of(play).canonical()
    rank = ending.rank()
    assert 0 <= rank < ending.shape.states <= ending.shape.layouts
    assert Ending.from_rank(ending.shape, rank) == ending


@given(positions(6))
def test_the_number_of_a_shape_leads_back_to_it(play: Play) -> None:
    shape = ending_of(play).shape.canonical()
    assert unrank_shape(shape.tricks, rank_shape(shape)) == shape


@given(positions(5), seeds)
def test_states_are_in_the_order_of_their_numbers(play: Play, seed: int) -> None:
    shape = ending_of(play).shape.canonical()
    rng = Random(seed)
    ranks = sorted(rng.randrange(shape.states) for _ in range(5))
    endings = [Ending.from_rank(shape, rank) for rank in ranks]
    # Among suits that may be exchanged, the last counts most; the first groups before the others.
    groups = [many for _, many in shape.groups]

    def key(ending: Ending) -> list[str]:
        suits, ordered = list(ending.suits), list[str]()
        for many in groups:
            ordered += reversed(suits[:many])
            del suits[:many]
        return ordered

    assert endings == sorted(endings, key=key)


@given(positions(6), seeds)
def test_a_trick_of_an_ending_is_a_trick_with_cards(play: Play, seed: int) -> None:
    ending, leader = ending_of(play), play.turn
    successors = list(ending.iter_successors())
    chosen = Random(seed).choice(successors)
    suits = [suit for suit in Suit if suit != play.strain.suit]
    if play.strain.suit is not None:
        suits.append(play.strain.suit)
    left = Hand(play.remaining.bits)
    cards = [[card for card in left if card.suit == suit] for suit in suits]
    trick = [cards[suit][place] for suit, place in chosen.cards]
    line = Play(play.remaining, play.strain, leader, tuple(trick))
    winner, _, _ = replay(play.remaining, play.strain, leader, trick)
    assert leader.next_by(chosen.winner) == winner
    assert Ending.from_deal(line.remaining, play.strain, winner).canonical() == chosen.below


@given(positions(4))
def test_successors_are_exactly_the_legal_tricks(play: Play) -> None:
    start = Play(play.remaining, play.strain, play.turn)
    tricks = [start]
    for _ in range(4):
        tricks = [line.with_card(card) for line in tricks for card in line.legal_cards()]
    expected = sorted(
        (
            (line.turn - start.leader) % 4,
            Ending.from_deal(line.remaining, line.strain, line.turn).canonical().suits,
        )
        for line in tricks
    )
    found = sorted((s.winner, s.below.suits) for s in ending_of(play).iter_successors())
    assert found == expected


@given(positions(13))
def test_lower_ranks_give_the_same_ending(play: Play) -> None:
    ranks: dict[Card, Card] = {}
    for suit in Suit:
        held = [card for card in Hand(play.remaining.bits) if card.suit == suit]
        for height, card in enumerate(reversed(held)):
            ranks[card] = Card(suit, Rank(height))
    n, e, s, w = (Hand.from_cards(ranks[card] for card in hand) for hand in play.remaining)
    assert Ending.from_deal(Deal((n, e, s, w)), play.strain, play.turn) == ending_of(play)


@given(seeds, st.booleans())
def test_shapes_do_not_depend_on_the_order_of_side_suits(seed: int, has_trumps: bool) -> None:
    rng = Random(seed)
    shape = ending_of(random_position(rng, rng.randint(1, 13), on_table=0)).shape
    *side, last = shape.suits
    rng.shuffle(side)
    a, b, c = side
    assert (
        Shape((a, b, c, last), has_trumps).canonical() == Shape(shape.suits, has_trumps).canonical()
    )
