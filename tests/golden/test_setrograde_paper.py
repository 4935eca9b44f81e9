"""The examples of Stone, Sturtevant and Schaeffer, "Set-Based Retrograde Analysis" (IJCAI 2025).

The figures are diagrams of which the text available keeps only captions and the words around
them. What is reconstructed here from those words:

- Figure 1: one suit of eight spades, North has the 9 and 8 and leads, the six others are x's.
- Figure 2: candidates a to h have one to eight x's. East leads. The text says that f has North
  9 8 and x's elsewhere, that in g North has the 9 and an x, and that there are eight of them.
- Figure 3: the four ways to share the 9 and the 8 between North and South, East to lead.

Here whoever leads is player 0 and values count for the leader's side. Where East leads in the paper
its South is player 1, West 2 and North 3.
"""

from __future__ import annotations

from functools import cache

import pytest

from setrograde.bridge import Deal, Seat, Strain
from setrograde.db.endings.ending_sets import EndingSet, EndingSets, Trick
from setrograde.db.endings.states import Ending
from setrograde.db.methods.set_levels import SetLevel
from setrograde.papers.setrograde import LevelDatabase, Oracle, build_levels
from setrograde.solve import solve_deal

GAME = EndingSets()
DEAL = Deal.from_pbn("N:98... 73... 62... 54...")
EAST_LEADS = Ending.from_deal(DEAL, Strain.NOTRUMP, Seat.EAST).canonical()


def endings(text: str) -> EndingSet:
    return EndingSet.from_text(text)


@cache
def one_trick() -> LevelDatabase[Ending, EndingSet, Trick]:
    return build_levels(GAME, 1)[1]


def is_consistent(states: EndingSet, tricks_leader: int) -> bool:
    return Oracle(GAME, one_trick()).is_consistent(states, tricks_leader)


def candidate(name: str) -> EndingSet:
    return with_xs(EAST_LEADS, "abcdefgh".index(name) + 1)


def with_xs(ending: Ending, xs: int) -> EndingSet:
    steps = [xs if owners else 0 for owners in ending.suits]
    return GAME.widen(ending, steps)


def test_figure_1_is_a_set_of_90_deals_in_which_the_leader_takes_two_tricks() -> None:
    deal = Ending.from_deal(DEAL, Strain.NOTRUMP, Seat.NORTH).canonical()
    states = with_xs(deal, 6)
    assert states == endings("NT 00xxxxxx:2222")
    assert len(states) == 90
    assert deal in states
    assert is_consistent(states, 2)


def test_the_deal_of_section_3_3_is_worth_two_tricks_to_north_south() -> None:
    assert solve_deal(DEAL, Strain.NOTRUMP, Seat.EAST).tricks_ns == 2
    assert Oracle(GAME, one_trick()).value(EAST_LEADS) == 0


@pytest.mark.parametrize("name", "abcdef")
def test_figure_2_candidates_a_to_f_are_accepted(name: str) -> None:
    assert EAST_LEADS in candidate(name)
    assert is_consistent(candidate(name), 0)


@pytest.mark.parametrize("name", "gh")
def test_figure_2_candidates_g_and_h_are_refused(name: str) -> None:
    assert EAST_LEADS in candidate(name)
    assert not is_consistent(candidate(name), 0)


def test_in_f_east_south_and_west_have_one_play_each_and_north_takes_the_trick() -> None:
    line = GAME.start(candidate("f"))
    for _ in range(4):
        (line,) = GAME.plays(line)
    (outcome,) = GAME.outcomes(line)
    # North leads to the last trick with one card to come that beats three x's.
    assert outcome.states is not None
    assert (outcome.base, outcome.sign) == (1, -1)
    assert outcome.states.overlaps(endings("NT 0xxx:1111"))
    assert one_trick().bounds(outcome.states).value == 1
    assert set(outcome.states.minus(endings("NT 0xxx:1111"))) == set()


def test_in_g_norths_nine_leaves_an_ending_in_which_north_south_take_nothing() -> None:
    left = endings("NT xxxx:1111")
    assert one_trick().bounds(left).low == 0
    assert one_trick().probe(Ending(("", "", "", "1023"))) == 0
    play = next(
        play
        for east in GAME.plays(GAME.start(candidate("g")))
        for south in GAME.plays(east)
        for west in GAME.plays(south)
        for play in GAME.plays(west)
        if play.played[-1] == (3, 0)
    )
    (outcome,) = GAME.outcomes(play)
    assert outcome.states is not None
    assert not left.minus(outcome.states)


def test_binary_search_ends_at_candidate_f() -> None:
    accepted = [xs for xs in range(9) if is_consistent(with_xs(EAST_LEADS, xs), 0)]
    assert accepted == [0, 1, 2, 3, 4, 5, 6]


def test_figure_3_four_sets_become_one_in_owner_bits() -> None:
    # The paper's North is player 3, its South player 1.
    four = [endings(f"NT {tops}xxxxxx:2222") for tops in ("33", "31", "13", "11")]
    assert all(is_consistent(states, 0) for states in four)
    (union,) = GAME.unite(four)
    assert union == endings("NT [13][13]xxxxxx:2222")
    assert is_consistent(union, 0)
    assert len(union) == sum(len(states) for states in four) == 90 + 180 + 180 + 90
    in_paper_order = {"N": 3, "S": 1, "E": 0, "W": 2}
    bits = [
        "".join(str(mask >> who & 1) for who in in_paper_order.values()) for mask in union.masks
    ]
    assert bits == ["1100", "1100"] + 6 * ["1111"]


def test_section_3_4_next_states_trade_the_eight_for_a_low_card() -> None:
    everything, added = endings("NT xxxxxxxx:2222"), endings("NT 00xxxxxx:2222")
    unsolved = everything.minus(added)
    assert sum(len(states) for states in unsolved) == len(everything) - 90 == 2520 - 90
    assert not any(states.overlaps(added) for states in unsolved)
    traded = next(states for states in unsolved if states.masks[0] == 1)
    assert traded == endings("NT 0[123]xxxxxx:2222")
    assert traded.split() == [endings(f"NT 0{holder}xxxxxx:2222") for holder in "123"]
    # The paper counts 6! = 720 ways to deal low cards to the six x's in order; in two hands the
    # order of two x's does not matter, which leaves 180 states.
    assert {len(states) for states in traded.split()} == {720 // (2 * 2)}
    state = GAME.pick(traded)
    assert state in traded
    assert state not in added


def test_table_1_for_4_cards_is_of_the_order_of_seventy_sets() -> None:
    assert 65 <= len(one_trick()) < 75


def test_table_1_for_8_cards_is_of_the_order_of_eight_thousand_sets() -> None:
    assert 5000 < len(SetLevel(2)) < 8500


def test_the_native_level_stores_the_union_of_figure_3() -> None:
    entry = SetLevel(2).find(EAST_LEADS)
    assert (entry.value, entry.states) == (0, endings("NT [13][13]xxxxxx:2222"))
