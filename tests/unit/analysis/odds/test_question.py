"""Questions about odds: what is refused, and what follows from constraints and play."""

from __future__ import annotations

import pytest

from setrograde.analysis.odds.layouts import Layouts
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.bridge import Card, Hand, InvalidInput, Seat, Strain, Suit

NORTH, SOUTH = Hand.from_text("AKQ2.T98.A76.K54"), Hand.from_text("876.765.KQJ.QJT9")


def cards(text: str) -> list[Card]:
    return [Card.from_text(word) for word in text.split()]


def ask(**options: object) -> OddsQuestion:
    return OddsQuestion.of(NORTH, SOUTH, Strain.NOTRUMP, Seat.SOUTH, **options)  # type: ignore[arg-type]


def ending(**options: object) -> OddsQuestion:
    hands = Hand.from_text("AQ..."), Hand.from_text("32...")
    options.setdefault("hidden", Hand.from_text("KJT9..."))
    return OddsQuestion.of(*hands, Strain.NOTRUMP, Seat.SOUTH, **options)  # type: ignore[arg-type]


def test_two_full_hands_leave_ten_million_layouts() -> None:
    assert ask().layouts.count() == 10_400_600


def test_points_of_west_are_points_of_east_too() -> None:
    assert 40 - NORTH.hcp - SOUTH.hcp == 15
    assert ask(west="hcp 5-9").layouts.points == (6, 10)
    both = ask(west="hcp 5-9", east="hcp 7-8").layouts
    assert both.points == (7, 8)
    assert both.count() == ask(west="hcp 7-8").layouts.count()


def test_lengths_of_west_are_lengths_of_east_too() -> None:
    layouts = ask(west="spades 4+").layouts
    assert layouts.shapes is not None
    assert {shape[3] for shape in layouts.shapes} == {0, 1, 2}


def test_shape_of_a_full_hand_is_understood() -> None:
    layouts = ask(west="shape 5-3-3-2").layouts
    total = sum(1 for _ in ask().layouts.allowed_lengths())
    assert 0 < len(layouts.allowed_lengths()) < total


@pytest.mark.parametrize(
    ("west", "east"), [("has SJ", None), (None, "not SJ"), ("has SJ", "not SJ")]
)
def test_a_card_held_by_one_is_a_card_denied_to_the_other(
    west: str | None, east: str | None
) -> None:
    layouts = ask(west=west, east=east).layouts
    assert layouts.second == Hand.from_text("J...")
    assert layouts.count() == 5_200_300


def test_lead_tells_who_holds_the_card() -> None:
    question = ask(played=cards("HA"))
    assert question.position.trick == tuple(cards("HA"))
    assert question.layouts.first_size == 13
    assert len(question.layouts.cards) == 25
    assert question.layouts.count() == 5_200_300


def test_a_discard_shows_a_void() -> None:
    """West leads the spade jack; East discards: all other spades are West's."""
    question = ask(played=cards("SJ SA D2 S6"))
    left = Hand.from_text("T9543...")
    assert question.layouts.second == left
    assert question.position.won_known == 1
    assert question.position.leader is Seat.NORTH
    assert all(not layout.length(Suit.SPADES) for layout in question.layouts.sample(20, seed=1))


def test_constraints_speak_of_the_hand_as_dealt() -> None:
    """West had at least three spades and has played one of them."""
    question = ask(played=cards("SJ"), west="spades 3+, hcp 1-3")
    layouts = question.layouts
    assert {5 - shape[3] for shape in layouts.shapes or ()} == {2, 3, 4, 5}
    points = layouts.cards.hcp
    assert layouts.points == (points - 2, points)


def test_turned_hands_give_turned_layouts() -> None:
    question = OddsQuestion.of_seats(
        {Seat.EAST: NORTH, Seat.WEST: SOUTH},
        Strain.NOTRUMP,
        Seat.WEST,
        about={Seat.NORTH: "has SJ"},
    )
    assert question.hidden_seats == (Seat.NORTH, Seat.SOUTH)
    assert question.layouts.first == Hand.from_text("J...")
    assert (question.position.north, question.position.south) == (SOUTH, NORTH)
    assert question.position.leader is Seat.EAST


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hidden": Hand.from_text("KJT...")}, "3 cards hidden beside hands of 2 (expected 4"),
        ({"hidden": Hand.from_text("AJT9...")}, "cards both seen and hidden: 'A...'"),
        ({"west": "has SA"}, "West cannot hold SA: North has it"),
        ({"west": "has SK, not SK"}, "West both holds and does not hold SK"),
        ({"west": "has SK", "east": "has SK"}, "both would hold 'K...'"),
        ({"west": "has SK SJ ST"}, "West would hold 3 cards: 'KJT...' (expected at most 2)"),
        ({"west": "hcp 5+"}, "no layout fits 'W: hcp 5+'"),
        ({"west": "hearts 1+"}, "no layout fits 'W: hearts 1+'"),
        ({"west": "hcp 4", "east": "hcp 4"}, "their points do not add up"),
        ({"west": "controls 2+"}, "no layout fits 'W: controls 2+'"),
        ({"west": "has SA or HA"}, "no layout fits 'W: has SA or has HA'"),
        ({"west": "hcp 4 or balanced"}, "a shape for a hand of 2 cards"),
        ({"west": "balanced"}, "a shape for a hand of 2 cards: 'balanced'"),
        ({"west": "spades many"}, "not a range: 'many' in 'spades many'"),
        ({"played": cards("SA")}, "illegal card: 'SA' by West as card 1: is not among the hidden"),
        ({"played": cards("SK S2")}, "illegal card: 'S2' by North as card 2: does not hold it"),
        ({"played": cards("SK SA SK")}, "'SK' by East as card 3: was played before"),
        ({"played": cards("SK SA SJ S2 SQ S9 S3 ST SA")}, "no cards are left"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        ending(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_known_hands_must_follow_suit() -> None:
    hands = Hand.from_text("A2.A.."), Hand.from_text("43.2..")
    with pytest.raises(InvalidInput, match="'HA' by North as card 2: must follow SPADES"):
        OddsQuestion.of(
            *hands,
            Strain.NOTRUMP,
            Seat.SOUTH,
            hidden=Hand.from_text("KJT.543.."),
            played=cards("SK HA"),
        )


def test_a_defender_who_showed_out_may_not_follow_later() -> None:
    hands = Hand.from_text("AQ2..."), Hand.from_text("543...")
    with pytest.raises(InvalidInput, match="'ST' by East as card 6: showed out of spades"):
        OddsQuestion.of(
            *hands,
            Strain.NOTRUMP,
            Seat.SOUTH,
            hidden=Hand.from_text("KJT9.32.."),
            played=cards("SK SA H2 S3 SQ ST"),
        )


def test_hands_of_wrong_size_are_refused() -> None:
    with pytest.raises(InvalidInput, match="North has 12 cards and South has 13 cards"):
        OddsQuestion.of(NORTH - Hand.from_text("2..."), SOUTH, Strain.NOTRUMP, Seat.SOUTH)
    with pytest.raises(InvalidInput, match="North has 2 cards and South has 1 card in"):
        OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("2..."), Strain.NOTRUMP, Seat.SOUTH)
    with pytest.raises(InvalidInput, match="has 0 cards"):
        OddsQuestion.of(Hand(), Hand(), Strain.NOTRUMP, Seat.SOUTH)
    with pytest.raises(InvalidInput, match="not two partners' hands"):
        OddsQuestion.of_seats({Seat.NORTH: NORTH, Seat.EAST: SOUTH}, Strain.NOTRUMP, Seat.SOUTH)


def test_overlapping_hands_are_refused() -> None:
    with pytest.raises(InvalidInput, match="card twice: 'SA' is with North and South"):
        OddsQuestion.of(NORTH, NORTH, Strain.NOTRUMP, Seat.SOUTH)


def test_a_constraint_on_a_known_hand_is_refused() -> None:
    with pytest.raises(InvalidInput, match="a constraint on North, whose hand is known"):
        OddsQuestion.of_seats(
            {Seat.NORTH: NORTH, Seat.SOUTH: SOUTH},
            Strain.NOTRUMP,
            Seat.SOUTH,
            about={Seat.NORTH: "hcp 5+"},
        )


def test_sampled_layouts_are_equally_likely() -> None:
    layouts = Layouts(Hand.from_text("KQJ2.A.."), 2, points=(3, 7))
    listed = list(layouts)
    drawn = layouts.sample(200 * len(listed), seed=7)
    for layout in listed:
        assert 140 < drawn.count(layout) < 260
