"""Double-dummy answers: endings with a name, what an answer says, memory, bad input."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from oracle.double_dummy import card_values, tricks_ns
from setrograde import _core
from setrograde.bridge import (
    Card,
    Deal,
    Hand,
    InvalidDeal,
    InvalidPlay,
    Play,
    Seat,
    Side,
    Strain,
    TrickTable,
)
from setrograde.errors import InvalidInput
from setrograde.solve import (
    CardValue,
    Solution,
    Solver,
    Technique,
    best_line,
    solve_cards,
    solve_deal,
    solve_many,
    solve_table,
    solve_tables,
    trace_play,
)
from support import random_deal, random_position

TWO_TRICKS = Deal.from_pbn("N:AK... QJ... T9... 87...")
THROW_IN = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.from_text(name) for name in text.split())


# --- endings with a name ---

ENDINGS = {
    "a finesse that works": ("N:AQ... 43... 65... K2...", "NT", "S", "", 2),
    "a finesse that fails": ("N:AQ... K3... 65... 42...", "NT", "S", "", 1),
    "a throw-in": ("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "S", "", 2),
    "a simple squeeze": ("N:AJ.K.. 65..9. 2.2.A. KQ.A..", "NT", "S", "", 3),
    "a trump coup": ("N:..AK. KJ... AQ... ..QJ.", "S", "N", "", 2),
    "a ruff": ("N:2.A.. .32.. .K.2. ..AK.", "S", "W", "DA", 2),
    "the same without trumps": ("N:2.A.. .32.. .K.2. ..AK.", "NT", "W", "DA", 0),
    "tops that fall together": ("N:A3... 54... KQ... 76...", "NT", "S", "", 2),
    "the last card of the last trick": ("N:A... K... Q... J...", "NT", "W", "SJ SA SK", 1),
    "a trick of discards": ("N:2... .A.. ..A. ...A", "NT", "N", "", 1),
    "a trick of discards and a trump": ("N:2... .A.. ..A. ...3", "C", "N", "", 0),
}


@pytest.mark.parametrize(
    ("pbn", "strain", "leader", "played", "expected"), ENDINGS.values(), ids=ENDINGS
)
def test_an_ending_with_a_name_has_its_value(
    pbn: str, strain: str, leader: str, played: str, expected: int
) -> None:
    play = Play(Deal.from_pbn(pbn), Strain.from_text(strain), Seat.from_text(leader), cards(played))
    solution = solve_deal(play.deal, play.strain, play.leader, played=play.cards)
    assert solution.tricks_ns == expected == tricks_ns(play)
    values = solve_cards(play.deal, play.strain, play.leader, played=play.cards)
    assert {value.card: value.tricks for value in values} == card_values(play)


def test_thirteen_top_cards_take_thirteen_tricks_from_any_lead() -> None:
    deal = Deal.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    for leader in Seat:
        expected = 13 if leader.side is Side.NS else 0
        assert solve_deal(deal, Strain.NOTRUMP, leader).tricks_ns == expected
        assert solve_deal(deal, Strain.SPADES, leader).tricks_ns == 13
        assert solve_deal(deal, Strain.CLUBS, leader).tricks_ns == 0


# --- what an answer says ---


def test_a_solution_names_the_cards_that_mattered() -> None:
    solution = solve_deal(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)
    assert (solution.tricks_ns, solution.tricks_ew) == (2, 1)
    assert solution.mattered == Hand.from_text("AKQ.A..")
    assert str(solution.pattern) == "N:AQ.x.. Kx.A.. xx.x.. xx.x.."
    assert solution.position == THROW_IN
    assert solution.nodes > 0


def test_cards_on_the_table_are_not_in_the_pattern() -> None:
    solution = solve_deal(THROW_IN, Strain.NOTRUMP, Seat.WEST, played=cards("S7 SQ"))
    assert solution.position[Seat.WEST] == Hand.from_text("6.4..")
    assert solution.pattern.matches(solution.position)
    assert not solution.mattered & Hand.from_cards(cards("S7 SQ"))


def test_a_card_out_of_play_may_not_come_back_above_the_named_ones() -> None:
    solution = solve_deal(Deal.from_pbn("N:Q2... 43... 65... 87..."), Strain.NOTRUMP, Seat.NORTH)
    other = Deal.from_pbn("N:Q2... A3... 65... 87...")
    assert solve_deal(other, Strain.NOTRUMP, Seat.NORTH).tricks_ns != solution.tricks_ns
    assert not solution.covers(other)
    assert solution.covers(Deal.from_pbn("N:A5... 74... 62... 83..."))


def test_a_solution_covers_no_other_shape() -> None:
    solution = solve_deal(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)
    assert solution.covers(THROW_IN)
    assert not solution.covers(THROW_IN.rotate(1))
    assert not solution.covers(Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76..4."))


def test_nodes_are_counted_afresh_for_every_question_and_the_same_each_time() -> None:
    deal = random_deal(Random(51))
    first = solve_deal(deal, Strain.HEARTS, Seat.EAST)
    solver = Solver()
    again = solver.solve(deal, Strain.HEARTS, Seat.EAST)
    assert again == first
    assert solver.statistics()["nodes"] == first.nodes
    known = solver.solve(deal, Strain.HEARTS, Seat.EAST)
    assert known.nodes < first.nodes
    assert solver.statistics()["nodes"] == first.nodes + known.nodes


def test_a_solver_that_forgets_searches_again() -> None:
    deal = random_deal(Random(52))
    solver = Solver()
    first = solver.solve(deal, Strain.NOTRUMP, Seat.WEST)
    solver.reset()
    assert solver.solve(deal, Strain.NOTRUMP, Seat.WEST) == first


def test_a_play_that_is_over_has_nothing_left() -> None:
    played = cards("SA SQ S9 S7 SK SJ ST S8")
    solution = solve_deal(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, played=played)
    assert (solution.tricks_ns, solution.tricks_ew) == (0, 0)
    assert solution.mattered == Hand()
    assert solve_cards(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, played=played) == ()
    play = Play(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, played)
    assert solve_many([play]) == (0,)
    assert trace_play(play) == (0,) * 9
    line = Solver().best_line(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, played=played)
    assert line.cards == played


def test_cards_come_best_first_then_spades_first_high_to_low() -> None:
    values = solve_cards(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)
    assert values == (
        CardValue(Card.from_text("H3"), tricks=2, cost=0),
        CardValue(Card.from_text("S5"), tricks=1, cost=1),
        CardValue(Card.from_text("S4"), tricks=1, cost=1),
    )


def test_cards_of_east_west_count_the_tricks_of_east_west() -> None:
    values = solve_cards(THROW_IN, Strain.NOTRUMP, Seat.WEST, played=())
    assert {str(value.card): value.tricks for value in values} == {"S7": 2, "S6": 2, "H4": 1}


def test_a_trace_counts_for_the_side_of_the_player_before_the_leader() -> None:
    play = Play(THROW_IN, Strain.NOTRUMP, Seat.WEST, cards("H4 H2 HA H3"))
    assert trace_play(play) == (1, 2, 2, 2, 2)
    turned = Play(THROW_IN.rotate(1), Strain.NOTRUMP, Seat.NORTH, play.cards)
    assert trace_play(turned) == trace_play(play)


def test_a_line_plays_the_lowest_of_equally_good_cards() -> None:
    line = best_line(TWO_TRICKS, Strain.NOTRUMP, Seat.WEST)
    assert line.cards == cards("S7 SK SJ S9 SA SQ ST S8")


def test_a_table_of_a_small_deal_counts_its_tricks() -> None:
    table = solve_table(TWO_TRICKS)
    for strain in Strain:
        assert [table.tricks(seat, strain) for seat in Seat] == [2, 0, 2, 0]


# --- text in, text out ---


def test_text_is_as_good_as_values() -> None:
    pbn = THROW_IN.to_pbn()
    played = cards("S7 SQ")
    assert solve_deal(pbn, "NT", "S") == solve_deal(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)
    asked = THROW_IN, Strain.NOTRUMP, Seat.WEST
    for ask in (solve_deal, solve_cards, best_line, Solver().cards, Solver().best_line):
        expected = ask(*asked, played=played)
        assert ask(pbn, "nt", "west", played="S7 SQ") == expected
        assert ask(pbn, "NT", "W", played=["S7", "SQ"]) == expected
    assert solve_table(pbn) == solve_table(THROW_IN) == Solver().table(pbn)
    assert solve_tables([pbn, THROW_IN]) == solve_tables([THROW_IN] * 2)
    assert solve_deal(pbn, "NT", "S").covers(pbn)


def test_text_that_makes_no_sense_is_quoted() -> None:
    pbn = THROW_IN.to_pbn()
    for arguments, message in (
        (("N:AQ", "NT", "S"), "'N:AQ'"),
        ((pbn, "X", "S"), "'X'"),
        ((pbn, "NT", "Q"), "'Q'"),
        ((pbn, "NT", 7), "not a seat: 7"),
    ):
        for ask in (solve_deal, Solver().cards):
            with pytest.raises(InvalidInput, match=message):
                ask(*arguments)
    with pytest.raises(InvalidInput, match="'Z1'"):
        solve_deal(pbn, "NT", "S", played="Z1")


def test_one_deal_where_a_list_is_expected_is_refused() -> None:
    for deal in (THROW_IN, THROW_IN.to_pbn()):
        with pytest.raises(InvalidInput, match="solve_table takes a single deal"):
            solve_tables(deal)  # type: ignore[arg-type]


def test_a_solution_prints_its_result_and_its_set() -> None:
    text = str(solve_deal(THROW_IN, "NT", "S"))
    assert text.splitlines() == [
        "North-South take 2 of 3 tricks, East-West take 1.",
        "Every deal of this form has the same result: N:AQ.x.. Kx.A.. xx.x.. xx.x..",
    ]


def test_values_of_cards_print_as_a_table() -> None:
    values = solve_cards(THROW_IN, "NT", "S")
    assert str(values).splitlines() == [
        "card  tricks  cost",
        "H3         2     0",
        "S5         1     1",
        "S4         1     1",
    ]
    assert [str(value) for value in values[:2]] == ["H3: 2 tricks", "S5: 1 trick, costs 1 trick"]
    assert values == tuple(values) and repr(values) == repr(tuple(values))


def test_answers_have_html_for_notebooks() -> None:
    solution, values = solve_deal(THROW_IN, "NT", "S"), solve_cards(THROW_IN, "NT", "S")
    assert "take 2 of 3 tricks" in solution._repr_html_()
    assert values._repr_html_().count("<tr>") == 4 and "♥3" in values._repr_html_()


# --- memory ---


@cache
def known_tables() -> tuple[tuple[Deal, TrickTable], ...]:
    rng = Random(61)
    deals = [random_deal(rng) for _ in range(20)]
    return tuple(zip(deals, solve_tables(deals), strict=True))


@pytest.mark.parametrize("limit_mb", [2, 3, 4])
def test_the_table_stays_within_a_small_limit(limit_mb: int) -> None:
    solver = Solver(limit_mb=limit_mb)
    rng = Random(62)
    plays = [random_position(rng, rng.choice([9, 11, 12, 13])) for _ in range(100)]
    plays.sort(key=lambda play: play.strain)
    for play in plays:
        solver.solve(play.deal, play.strain, play.leader, played=play.cards)
        assert 0 < solver.statistics()["table_bytes"] <= limit_mb << 20, play
    assert solver.statistics()["collections"] > 0, "never full"


@pytest.mark.parametrize("limit_mb", [2, 3, 4])
def test_a_small_limit_gives_the_right_answers(limit_mb: int) -> None:
    solver = Solver(limit_mb=limit_mb)
    for deal, table in known_tables()[:2]:
        assert solver.table(deal) == table, deal
    rng = Random(64)
    plays = [random_position(rng, size, strain=Strain.NOTRUMP) for size in (11, 12, 13) * 20]
    for play, expected in zip(plays, solve_many(plays), strict=True):
        solution = solver.solve(play.deal, play.strain, play.leader, played=play.cards)
        assert solution.tricks_ns == expected, play
    assert solver.statistics()["collections"] > 0, "never full"


def test_a_small_limit_shared_by_threads_gives_the_right_answers() -> None:
    known = known_tables()[:3]
    expected = tuple(table for _, table in known)
    assert solve_tables([deal for deal, _ in known], threads=2, limit_mb=2) == expected


def test_the_default_limit_holds_over_20_tables() -> None:
    solver = Solver()
    for deal, table in known_tables():
        assert solver.table(deal) == table, deal
        assert solver.statistics()["table_bytes"] <= 256 << 20


@pytest.mark.slow
@pytest.mark.parametrize("limit_mb", [2, 4, 16])
def test_the_table_stays_within_its_limit_over_thousands_of_solves(limit_mb: int) -> None:
    solver = Solver(limit_mb=limit_mb)
    rng = Random(63)
    plays = [random_position(rng, rng.choice([9, 10, 11, 12, 13])) for _ in range(3_000)]
    plays.sort(key=lambda play: play.strain)
    for play, expected in zip(plays, solve_many(plays), strict=True):
        solution = solver.solve(play.deal, play.strain, play.leader, played=play.cards)
        assert solution.tricks_ns == expected, play
        assert solver.statistics()["table_bytes"] <= limit_mb << 20


# --- bad input ---

Question = Callable[[Deal], object]
QUESTIONS: dict[str, Question] = {
    "solve_deal": lambda deal: solve_deal(deal, Strain.NOTRUMP, Seat.NORTH),
    "solve_cards": lambda deal: solve_cards(deal, Strain.NOTRUMP, Seat.NORTH),
    "solve_table": solve_table,
    "solve_tables": lambda deal: solve_tables([TWO_TRICKS, deal]),
    "solve_many": lambda deal: solve_many([Play(deal, Strain.NOTRUMP, Seat.NORTH)]),
    "trace_play": lambda deal: trace_play(Play(deal, Strain.NOTRUMP, Seat.NORTH)),
    "best_line": lambda deal: best_line(deal, Strain.NOTRUMP, Seat.NORTH),
    "Solver.table": lambda deal: Solver().table(deal),
}
ask_each = pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)


@ask_each
def test_hands_of_different_lengths_are_refused_with_the_deal(ask: Question) -> None:
    with pytest.raises(
        InvalidDeal, match="differ in length: North 2, East 2, South 2, West 1"
    ) as e:
        ask(Deal.from_pbn("N:AK... QJ... T9... 8..."))
    assert "'N:AK... QJ... T9... 8...'" in str(e.value)


@ask_each
def test_an_unknown_hand_is_refused(ask: Question) -> None:
    with pytest.raises(InvalidDeal, match=r"West 0 in 'N:AK\.\.\. QJ\.\.\. T9\.\.\. -'"):
        ask(Deal.from_pbn("N:AK... QJ... T9... -"))


@ask_each
def test_an_empty_deal_is_refused(ask: Question) -> None:
    with pytest.raises(InvalidDeal, match=r"no cards: 'N:\.\.\. \.\.\. \.\.\. \.\.\.'"):
        ask(Deal.from_pbn("N:- - - -"))


def test_a_card_held_twice_is_refused_by_name() -> None:
    with pytest.raises(InvalidDeal, match="card twice: 'SA' is with North and East"):
        solve_table(Deal.from_pbn("N:AK... AJ... T9... 87..."))


@pytest.mark.parametrize(
    ("played", "message"),
    [
        ("SQ", "'SQ' by North as card 1: does not hold it"),
        ("SA SA", "'SA' by East as card 2: does not hold it"),
        ("SA SK", "'SK' by East as card 2: does not hold it"),
        ("SA H3", "'H3' by East as card 2: must follow SPADES"),
        ("SA SQ ST S8 H2 H3 H4 H5 S2", "'S2' by West as card 9: does not hold it"),
    ],
)
def test_an_illegal_card_is_refused_by_name_and_place(played: str, message: str) -> None:
    deal = Deal.from_pbn("N:A.2.. Q.3.. T.4.. 8.5..")
    for ask in (solve_deal, solve_cards, Solver().solve, Solver().cards, Solver().best_line):
        with pytest.raises(InvalidPlay, match=f"illegal card: {message}"):
            ask(deal, Strain.NOTRUMP, Seat.NORTH, played=cards(played))


def test_techniques_and_databases_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InvalidInput, match="not a set of techniques: 256"):
        Solver(techniques=Technique.ALL + 1)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="not a database of endings: 'none'"):
        Solver(endings="none")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="not a database of endings: 16"):
        solve_tables([TWO_TRICKS], endings=16)  # type: ignore[arg-type]


def test_an_error_leaves_the_solver_usable() -> None:
    solver = Solver()
    with pytest.raises(InvalidPlay):
        solver.solve(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, played=cards("C2"))
    assert solver.solve(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH).tricks_ns == 2


WITH_LIMIT: dict[str, Callable[[int], object]] = {
    "Solver": lambda mb: Solver(limit_mb=mb),
    "solve_deal": lambda mb: solve_deal(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, limit_mb=mb),
    "solve_cards": lambda mb: solve_cards(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, limit_mb=mb),
    "trace_play": lambda mb: trace_play(Play(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH), limit_mb=mb),
    "best_line": lambda mb: best_line(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH, limit_mb=mb),
}
BATCH_WITH_LIMIT: dict[str, Callable[[int], object]] = {
    "solve_table": lambda mb: solve_table(TWO_TRICKS, limit_mb=mb),
    "solve_tables": lambda mb: solve_tables([TWO_TRICKS], limit_mb=mb),
    "solve_many": lambda mb: solve_many(
        [Play(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH)], limit_mb=mb
    ),
}


@pytest.mark.parametrize("limit_mb", [0, 1, -1, (1 << 20) + 1, 1 << 60])
@pytest.mark.parametrize(
    "ask",
    [
        *(pytest.param(ask, id=name) for name, ask in WITH_LIMIT.items()),
        *(pytest.param(ask, id=name) for name, ask in BATCH_WITH_LIMIT.items()),
    ],
)
def test_a_bad_memory_limit_is_refused_with_the_limit(
    ask: Callable[[int], object], limit_mb: int
) -> None:
    with pytest.raises(ValueError, match=f"not a memory limit: {limit_mb} MB"):
        ask(limit_mb)


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_a_bad_number_of_threads_is_refused_with_the_number(threads: int) -> None:
    play = Play(TWO_TRICKS, Strain.NOTRUMP, Seat.NORTH)
    for ask in (
        lambda: solve_table(TWO_TRICKS, threads=threads),
        lambda: solve_tables([TWO_TRICKS], threads=threads),
        lambda: solve_many([play], threads=threads),
    ):
        with pytest.raises(ValueError, match=f"not a number of threads: {threads} "):
            ask()


# The core is asked only by this package, but must not read or write out of bounds.
CORE_HANDS = (3, 12, 48, 192)


@pytest.mark.parametrize(
    ("hands", "strain", "leader", "trick", "message"),
    [
        ((3, 3, 48, 192), 4, 0, [], "card twice"),
        ((3, 12, 48, 64), 4, 0, [], "hands differ in length"),
        ((1 << 13, 12, 48, 192), 4, 0, [], "value out of range"),
        (CORE_HANDS, 5, 0, [], "value out of range"),
        (CORE_HANDS, -1, 0, [], "value out of range"),
        (CORE_HANDS, 4, 4, [], "value out of range"),
        (CORE_HANDS, 4, 0, [1], "card twice"),
        (CORE_HANDS, 4, 0, [8], "hands differ in length"),
        (CORE_HANDS, 4, 0, [13], "value out of range"),
        (CORE_HANDS, 4, 0, [64], "value out of range"),
        (CORE_HANDS, 4, 0, [-1], "value out of range"),
        (CORE_HANDS, 4, 0, [8, 9, 10, 11], "more than three cards on the table"),
    ],
)
def test_the_core_refuses_impossible_positions(
    hands: tuple[int, ...], strain: int, leader: int, trick: list[int], message: str
) -> None:
    core = _core.Solver(4 << 20, int(Technique.ALL))
    for ask in (core.solve, core.solve_cards):
        with pytest.raises(ValueError, match=message):
            ask(hands, strain, leader, trick)
    with pytest.raises(ValueError, match=message):
        core.ask(hands, strain, leader, trick, 1)
    with pytest.raises(ValueError, match=message):
        _core.solve_many([(hands, strain, leader, trick)], 1, 4 << 20)


def test_values_are_frozen_and_their_repr_can_be_pasted_back() -> None:
    solution = solve_deal(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)
    value = solve_cards(THROW_IN, Strain.NOTRUMP, Seat.SOUTH)[0]
    for frozen, name in ((solution, "tricks_ns"), (value, "cost")):
        with pytest.raises(AttributeError):
            setattr(frozen, name, 5)
    names = {"Solution": Solution, "Hand": Hand, "Deal": Deal, "Card": Card, "CardValue": CardValue}
    assert eval(repr(solution), names) == solution
    assert eval(repr(value), names) == value
