"""Laws of double-dummy answers: the plain oracle, symmetries, play, patterns, techniques."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.double_dummy import card_values, tricks_ns
from setrograde import _core
from setrograde.bridge import Card, Deal, Hand, Play, Rank, Seat, Side, Strain, Suit
from setrograde.solve.double_dummy import (
    CardValue,
    Solution,
    Solver,
    Technique,
    best_line,
    solve_cards,
    solve_deal,
    solve_many,
    solve_table,
    trace_play,
)
from support import from_this_trick, random_deal, random_position, redealt

_seeds = st.integers(0, 2**32 - 1)
seats, strains = st.sampled_from(Seat), st.sampled_from(Strain)
_subsets = st.integers(0, int(Technique.ALL)).map(Technique)


def positions(
    largest: int, *, smallest: int = 1, on_table: int | None = None
) -> st.SearchStrategy[Play]:
    """Positions with `smallest` to `largest` tricks to play, in the middle of a trick or not."""
    return st.builds(
        lambda seed, tricks, out: random_position(Random(seed), tricks, on_table=out),
        _seeds,
        st.integers(smallest, largest),
        st.integers(0, 3) if on_table is None else st.just(on_table),
    )


def solved(play: Play, solver: Solver | None = None) -> Solution:
    """The position's solution, by a solver of its own unless given."""
    ask = solve_deal if solver is None else solver.solve
    return ask(play.deal, play.strain, play.leader, played=play.cards)


def valued(play: Play) -> tuple[CardValue, ...]:
    return solve_cards(play.deal, play.strain, play.leader, played=play.cards)


def tricks_left(play: Play) -> int:
    return max(len(hand) for hand in play.remaining.hands)


def core_position(play: Play) -> tuple[tuple[int, ...], int, int, list[int]]:
    trick = play.current_trick
    places = [16 * card.suit + card.rank for card in trick.cards]
    hands = tuple(hand.bits for hand in play.remaining.hands)
    return hands, int(play.strain), int(trick.leader), places


def with_cards_renamed(play: Play, names: dict[Card, Card], strain: Strain) -> Play:
    n, e, s, w = (Hand.from_cards(names[card] for card in hand) for hand in play.deal.hands)
    cards = tuple(names[card] for card in play.cards)
    return Play(Deal((n, e, s, w)), strain, play.leader, cards)


# --- the definition ---


@given(positions(3))
def test_every_card_is_worth_what_trying_everything_shows(play: Play) -> None:
    expected = card_values(play)
    values = valued(play)
    assert {value.card: value.tricks for value in values} == expected
    assert solved(play).tricks(play.turn.side) == max(expected.values())


@settings(max_examples=25)
@given(positions(4, smallest=4))
def test_four_tricks_are_worth_what_trying_everything_shows(play: Play) -> None:
    assert solved(play).tricks_ns == tricks_ns(play)


@pytest.mark.slow
def test_five_tricks_are_worth_what_trying_everything_shows() -> None:
    rng = Random(9)
    for _ in range(40):
        play = random_position(rng, 5)
        assert solved(play).tricks_ns == tricks_ns(play), play


@given(positions(7), st.integers(-20, 20))
def test_north_south_take_as_many_as_asked_up_to_the_value_and_no_more(
    play: Play, need: int
) -> None:
    value = solved(play).tricks_ns
    core = _core.Solver(16 << 20, int(Technique.ALL))
    for asked in (*range(tricks_left(play) + 2), need):
        assert core.ask(*core_position(play), asked)[0] == (value >= asked), asked


@given(positions(7), st.integers(-20, 20))
def test_a_wrong_guess_does_not_change_the_answer(play: Play, guess: int) -> None:
    core = _core.Solver(16 << 20, int(Technique.ALL))
    assert core.solve(*core_position(play), guess)[0] == solved(play).tricks_ns


@given(positions(8))
def test_the_sides_share_the_tricks_left(play: Play) -> None:
    solution = solved(play)
    assert 0 <= solution.tricks_ns <= tricks_left(play)
    assert solution.tricks_ns + solution.tricks_ew == tricks_left(play)
    assert solution.tricks(Side.NS) == solution.tricks_ns
    assert solution.tricks(Side.EW) == solution.tricks_ew
    assert solution.position == play.remaining


@given(positions(8))
def test_tricks_already_over_do_not_matter(play: Play) -> None:
    shorter = from_this_trick(play)
    assert solved(shorter) == solved(play)
    assert valued(shorter) == valued(play)


@settings(max_examples=40)
@given(_seeds, st.integers(1, 7))
def test_a_table_holds_the_value_of_each_declarer_and_strain(seed: int, size: int) -> None:
    deal = random_deal(Random(seed), size)
    table = solve_table(deal)
    assert Solver().table(deal) == table
    for strain in Strain:
        for declarer in Seat:
            solution = solve_deal(deal, strain, declarer.next)
            assert table.tricks(declarer, strain) == solution.tricks(declarer.side)


# --- symmetries ---


@given(positions(8), st.integers(1, 3))
def test_turning_the_table_turns_the_answer(play: Play, steps: int) -> None:
    turned = Play(play.deal.rotate(steps), play.strain, play.leader.next_by(steps), play.cards)
    before, after = solved(play), solved(turned)
    if steps == 2:
        assert (after.tricks_ns, after.tricks_ew) == (before.tricks_ns, before.tricks_ew)
    else:
        assert (after.tricks_ns, after.tricks_ew) == (before.tricks_ew, before.tricks_ns)
    assert set(valued(turned)) == set(valued(play))


@given(positions(8), st.permutations(list(Suit)))
def test_suits_may_change_names_if_trumps_do_too(play: Play, new: list[Suit]) -> None:
    names = {card: Card(new[card.suit], card.rank) for card in Card.ALL}
    trump = play.strain.suit
    strain = play.strain if trump is None else new[trump].strain
    renamed = with_cards_renamed(play, names, strain)
    assert solved(renamed).tricks_ns == solved(play).tricks_ns
    expected = {names[value.card]: value.tricks for value in valued(play)}
    assert {value.card: value.tricks for value in valued(renamed)} == expected


@given(positions(8), st.data())
def test_only_the_order_of_the_cards_in_play_matters(play: Play, data: st.DataObject) -> None:
    play = from_this_trick(play)
    names: dict[Card, Card] = {}
    for suit in Suit:
        held = sorted(card for card in Hand(play.deal.bits) if card.suit == suit)
        new = data.draw(st.sets(st.sampled_from(Rank), min_size=len(held), max_size=len(held)))
        names |= {card: Card(suit, rank) for card, rank in zip(held, sorted(new), strict=True)}
    renamed = with_cards_renamed(play, names, play.strain)
    assert solved(renamed).tricks_ns == solved(play).tricks_ns
    expected = {names[value.card]: value.tricks for value in valued(play)}
    assert {value.card: value.tricks for value in valued(renamed)} == expected


@given(positions(7))
def test_trumps_nobody_holds_are_notrump(play: Play) -> None:
    play = from_this_trick(play)
    bare = [suit for suit in Suit if not any(hand.length(suit) for hand in play.deal.hands)]
    expected = solved(replace(play, strain=Strain.NOTRUMP)).tricks_ns
    for suit in bare:
        assert solved(replace(play, strain=suit.strain)).tricks_ns == expected


@given(positions(9))
def test_touching_cards_of_a_hand_are_worth_the_same(play: Play) -> None:
    in_play = Hand(from_this_trick(play).deal.bits)
    tricks = {value.card: value.tricks for value in valued(play)}
    for suit in Suit:
        cards = [card for card in in_play if card.suit == suit]
        for higher, lower in pairwise(cards):
            if higher in tricks and lower in tricks:
                assert tricks[higher] == tricks[lower], (higher, lower)


# --- playing on ---


@given(positions(9))
def test_cards_are_all_the_legal_ones_best_first(play: Play) -> None:
    values = valued(play)
    assert sorted(value.card for value in values) == sorted(play.legal_cards())
    assert [value.cost for value in values] == sorted(value.cost for value in values)
    best = values[0]
    assert best.cost == 0
    assert best.tricks == solved(play).tricks(play.turn.side)
    assert all(value.tricks + value.cost == best.tricks for value in values)


@given(positions(8))
def test_a_card_is_worth_the_position_after_it(play: Play) -> None:
    side = play.turn.side
    for value in valued(play):
        after = play.with_card(value.card)
        won = after.tricks_won(side) - play.tricks_won(side)
        assert value.tricks == won + solved(after).tricks(side), value.card


@settings(max_examples=50)
@given(positions(2, smallest=1), st.integers(0, 8))
def test_a_trace_drops_and_rises_by_the_cost_of_each_card(play: Play, more: int) -> None:
    for _ in range(more):
        if not play.is_over:
            play = play.with_card(play.legal_cards()[0])
    trace = trace_play(play)
    declarer_side = play.leader.next.side
    assert len(trace) == len(play.cards) + 1
    whole = solve_deal(play.deal, play.strain, play.leader)
    assert trace[0] == whole.tricks(declarer_side)
    if play.is_over:
        assert trace[-1] == play.tricks_won(declarer_side)
    for number in range(len(play.cards)):
        before = replace(play, cards=play.cards[:number])
        cost = next(value.cost for value in valued(before) if value.card == play.cards[number])
        change = -cost if before.turn.side is declarer_side else cost
        assert trace[number + 1] - trace[number] == change, number


@settings(max_examples=40)
@given(positions(6))
def test_the_best_line_is_legal_and_keeps_the_value_at_each_step(play: Play) -> None:
    line = Solver().best_line(play.deal, play.strain, play.leader, played=play.cards)
    assert line.is_over
    assert line.cards[: len(play.cards)] == play.cards
    ns = play.tricks_won(Side.NS) + solved(play).tricks_ns
    for number in range(len(play.cards), len(line.cards)):
        before = replace(line, cards=line.cards[:number])
        assert line.cards[number] in before.legal_cards()
        assert before.tricks_won(Side.NS) + solved(before).tricks_ns == ns, number
    assert line.tricks_won(Side.NS) == ns


@settings(max_examples=40)
@given(_seeds, st.integers(1, 6), strains, seats)
def test_the_best_line_of_a_deal_begins_at_the_first_lead(
    seed: int, size: int, strain: Strain, leader: Seat
) -> None:
    deal = random_deal(Random(seed), size)
    line = best_line(deal, strain, leader)
    assert line == Solver().best_line(deal, strain, leader)
    assert line.is_over
    assert set(trace_play(line)) == {line.tricks_won(leader.next.side)}


# --- one solver for many questions ---


@settings(max_examples=40)
@given(st.lists(positions(8), min_size=2, max_size=12))
def test_what_was_learned_before_does_not_change_an_answer(plays: list[Play]) -> None:
    kept = Solver(limit_mb=4)
    expected = [solved(play).tricks_ns for play in plays]
    for _ in range(2):
        assert [solved(play, kept).tricks_ns for play in plays] == expected
        plays, expected = plays[::-1], expected[::-1]
    assert list(solve_many(plays)) == expected


def check_lies(rng: Random, sizes: Iterable[int], count: int) -> None:
    """Ask one solver about `count` lies of the same lengths, for a position of each size.

    They share every table key, so each set stored on the way, not only the one returned, is put
    to the test by later lies.
    """
    lies, values = [], []
    for size in sizes:
        play = random_position(rng, size, on_table=0)
        kept = Solver(limit_mb=64)
        for _ in range(count):
            lies.append(redealt(rng, play, Hand()))
            values.append(solved(lies[-1], kept).tricks_ns)
    for lie, value, expected in zip(lies, values, solve_many(lies), strict=True):
        assert value == expected, lie


def test_other_lies_of_the_same_lengths_may_share_a_solver() -> None:
    check_lies(Random(10), [size for size in range(3, 10) for _ in range(20)], count=40)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(5, 12))
def test_thousands_of_lies_may_share_a_solver(size: int) -> None:
    check_lies(Random(size), [size] * (400 if size < 10 else 40), count=100)


# --- patterns ---


def check_patterns(
    rng: Random, sizes: Iterable[int], members: int, techniques: Technique = Technique.ALL
) -> None:
    """Solve a position of each size; every random member of its pattern has its value.

    One solver is kept for all positions, so that patterns come from the table too; members are
    solved afresh.
    """
    plays = [random_position(rng, size) for size in sizes]
    plays.sort(key=lambda play: play.strain)
    solver = Solver(limit_mb=64, techniques=techniques)
    solutions = [solved(play, solver) for play in plays]
    lies = []
    for play, solution in zip(plays, solutions, strict=True):
        assert not solution.mattered - Hand(play.remaining.bits), play
        assert solution.pattern.named == solution.mattered, play
        for _ in range(members):
            lie = redealt(rng, play, solution.mattered)
            assert solution.pattern.matches(lie.remaining), (play, lie)
            lies.append(lie)
    values = iter(solve_many(lies))
    for i, (play, solution) in enumerate(zip(plays, solutions, strict=True)):
        for lie in lies[i * members : (i + 1) * members]:
            assert next(values) == solution.tricks_ns, (play, str(solution.pattern), lie)


def check_bounds(rng: Random, sizes: Iterable[int], members: int) -> None:
    """As `check_patterns` for every yes or no answer about a position."""
    plays = [random_position(rng, size) for size in sizes]
    plays.sort(key=lambda play: play.strain)
    core = _core.Solver(64 << 20, int(Technique.ALL))
    asked = []
    lies = []
    for play in plays:
        for need in range(1, tricks_left(play) + 1):
            yes, named = core.ask(*core_position(play), need)
            asked.append((play, need, yes, named))
            lies += [redealt(rng, play, Hand(named)) for _ in range(members)]
    values = iter(solve_many(lies))
    for i, (play, need, yes, named) in enumerate(asked):
        for lie in lies[i * members : (i + 1) * members]:
            assert (next(values) >= need) == yes, (play, need, Hand(named), lie)


def test_members_of_a_pattern_have_its_value() -> None:
    sizes = [size for size in range(2, 10) for _ in range(12)] + [10] * 6 + [11] * 2
    check_patterns(Random(1), sizes, members=20)


# A flaw in few patterns shows in many positions rather than in many members of each.
def test_members_of_many_patterns_have_their_value() -> None:
    check_patterns(Random(11), [size for size in range(3, 8) for _ in range(250)], members=5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_hundred_thousand_members_of_patterns_have_their_value(seed: int) -> None:
    sizes = [size for size in range(2, 10) for _ in range(230)] + [10] * 100 + [11] * 60
    assert len(sizes) == 2_000
    check_patterns(Random(seed), sizes, members=50)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(3, 10))
def test_members_of_thousands_of_patterns_have_their_value(size: int) -> None:
    check_patterns(Random(size), [size] * 4_000, members=5)


def test_members_of_a_bounds_pattern_give_the_same_answer() -> None:
    check_bounds(Random(2), [size for size in range(2, 10) for _ in range(40)], members=5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_hundred_thousand_members_of_bounds_patterns_give_the_same_answer(seed: int) -> None:
    sizes = [size for size in range(1, 10) for _ in range(350)] + [10] * 30 + [11] * 10
    check_bounds(Random(seed), sizes, members=6)


@settings(max_examples=60)
@given(positions(3), _subsets, _seeds)
def test_members_of_a_pattern_have_its_value_by_definition(
    play: Play, techniques: Technique, seed: int
) -> None:
    solution = solved(play, Solver(techniques=techniques))
    rng = Random(seed)
    for _ in range(3):
        lie = redealt(rng, play, solution.mattered)
        assert tricks_ns(lie) == solution.tricks_ns, (solution.pattern, lie)


@settings(max_examples=20)
@given(_subsets, _seeds)
def test_patterns_are_sound_with_any_techniques(techniques: Technique, seed: int) -> None:
    check_patterns(Random(seed), [3, 4, 5, 5, 6, 6, 7], members=8, techniques=techniques)


def test_patterns_leave_a_good_part_of_the_cards_open() -> None:
    rng = Random(4)
    shares = []
    for _ in range(200):
        solution = solved(random_position(rng, 6, on_table=0))
        shares.append(len(solution.mattered) / len(solution.position))
    assert 0.05 < sum(shares) / len(shares) < 0.8


def test_without_patterns_every_card_counts() -> None:
    rng = Random(5)
    solver = Solver(techniques=Technique.ALL & ~Technique.PATTERNS)
    wider = 0
    for _ in range(50):
        play = random_position(rng, 6, on_table=0)
        plain = solved(play, solver)
        assert plain.tricks_ns == solved(play).tricks_ns
        wider += len(plain.mattered) > len(solved(play).mattered)
    assert wider > 25


# --- techniques ---

SINGLE = [technique for technique in Technique if technique is not Technique.ALL]
ENDINGS = [random_position(Random(seed), 5 + seed % 3) for seed in range(60)]
FULL_DEALS = [(random_deal(Random(38)), Strain.NOTRUMP), (random_deal(Random(8)), Strain.SPADES)]


def check_endings(techniques: Technique) -> None:
    solver = Solver(techniques=techniques)
    expected = solve_many(ENDINGS)
    for play, tricks in zip(ENDINGS, expected, strict=True):
        assert solved(play, solver).tricks_ns == tricks, (techniques, play)


def check_full_deals(techniques: Technique) -> None:
    for deal, strain in FULL_DEALS:
        solver = Solver(techniques=techniques)
        answer = solver.solve(deal, strain, Seat.WEST)
        assert answer.tricks_ns == solve_deal(deal, strain, Seat.WEST).tricks_ns, (techniques, deal)


@pytest.mark.parametrize("technique", SINGLE, ids=lambda technique: technique.name)
def test_switching_a_technique_off_changes_no_answer(technique: Technique) -> None:
    check_endings(Technique.ALL & ~technique)
    check_full_deals(Technique.ALL & ~technique)


@pytest.mark.parametrize("technique", [Technique(0), *SINGLE], ids=lambda t: t.name or "none")
def test_a_technique_alone_gives_the_same_answers(technique: Technique) -> None:
    check_endings(technique)


def test_techniques_in_any_combination_give_the_same_answers() -> None:
    for techniques in Random(6).sample(range(256), 24):
        check_endings(Technique(techniques))


@pytest.mark.slow
@pytest.mark.parametrize("technique", SINGLE, ids=lambda technique: technique.name)
def test_a_technique_and_patterns_alone_solve_full_deals(technique: Technique) -> None:
    check_full_deals(technique | Technique.PATTERNS)


@pytest.mark.slow
def test_every_combination_of_techniques_gives_the_same_answers() -> None:
    for techniques in range(256):
        check_endings(Technique(techniques))
