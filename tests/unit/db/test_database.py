"""The endgame database: probes, sets, queries, damage."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from golden.test_double_dummy_peers import BATCH, Peer
from setrograde.bridge import Card, Deal, InvalidDeal, InvalidPlay, Play, Seat, Side, Strain
from setrograde.db.database import (
    DiagramLevel,
    EndingDatabase,
    SetValue,
    data_directory,
    level_path,
)
from setrograde.db.deal_sets import DealSet
from setrograde.db.methods.diagram_build import DatabaseError, build_diagrams
from setrograde.errors import InvalidInput, MissingTable
from setrograde.solve.double_dummy import Solver
from support import random_position

ENDING = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")


@pytest.fixture(scope="module")
def database(endings: Path) -> EndingDatabase:
    return EndingDatabase.open(endings)


# Where databases lie


def test_data_directory_is_the_one_given_or_of_the_environment_or_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", "/srv/home")
    assert data_directory("/srv/given") == Path("/srv/given")
    assert data_directory() == Path("/srv/home")
    monkeypatch.delenv("SETROGRADE_HOME")
    assert data_directory().name == "setrograde"
    assert level_path(2, "/d", method="sets") == Path("/d/endings/08-cards.sets")


def test_no_database_is_an_error_that_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="setrograde db build --cards 12"):
        EndingDatabase.open(tmp_path)


def test_a_missing_level_says_what_there_is(database: EndingDatabase) -> None:
    assert list(database.levels) == [1, 2, 3]
    with pytest.raises(MissingTable, match=r"16 cards .*it has 4, 8, 12 cards.*--cards 16"):
        database.level(4)


def test_a_level_under_another_name_is_refused(endings: Path, tmp_path: Path) -> None:
    target = level_path(3, tmp_path)
    target.parent.mkdir()
    shutil.copy(level_path(2, endings), target)
    with pytest.raises(DatabaseError, match=r"12-cards\.diagrams: holds endings of 8 cards"):
        EndingDatabase.open(tmp_path)


# One position


def assert_probes_are_the_solver_s(database: EndingDatabase, plays: list[Play]) -> None:
    solver = Solver(limit_mb=16, endings=None)
    for play in plays:
        question = (play.deal, play.strain, play.leader)
        probe = database.probe(*question, played=play.cards)
        values = solver.cards(*question, played=play.cards)
        assert sorted(probe.cards, key=lambda value: value.card) == sorted(
            values, key=lambda value: value.card
        ), play
        costs = [value.cost for value in probe.cards]
        assert costs == sorted(costs)
        assert costs[0] == 0
        left = len(play.deal[Seat.NORTH]) - play.tricks_won(Side.NS) - play.tricks_won(Side.EW)
        assert probe.tricks_ns + probe.tricks_ew == left
        ns = probe.cards[0].tricks if play.turn.side is Side.NS else left - probe.cards[0].tricks
        assert probe.tricks_ns == ns
        assert (probe.deals is None) == bool(play.current_trick.cards)


def test_probes_have_the_values_of_the_solver_also_in_mid_trick(database: EndingDatabase) -> None:
    rng = Random(1)
    plays = [random_position(rng, rng.choice([1, 2, 3, 3])) for _ in range(300)]
    assert_probes_are_the_solver_s(database, plays)


@pytest.mark.slow
def test_many_probes_have_the_values_of_the_solver(database: EndingDatabase) -> None:
    rng = Random(2)
    assert_probes_are_the_solver_s(database, [random_position(rng, 3) for _ in range(5000)])


def test_a_finished_play_takes_no_more_tricks(database: EndingDatabase) -> None:
    cards = [Card.from_text(text) for text in ("SA", "SK", "SQ", "SJ")]
    deal = Deal.from_pbn("N:A... K... Q... J...")
    probe = database.probe(deal, Strain.NOTRUMP, Seat.NORTH, played=cards)
    assert (probe.tricks_ns, probe.tricks_ew, probe.cards, probe.deals) == (0, 0, (), None)


def test_a_card_that_may_not_be_played_is_refused(database: EndingDatabase) -> None:
    with pytest.raises(InvalidPlay):
        database.probe(ENDING, Strain.NOTRUMP, Seat.SOUTH, played=[Card.from_text("SA")])


def test_hands_of_another_length_are_refused(database: EndingDatabase) -> None:
    with pytest.raises(InvalidDeal, match=r"not 2 cards in each hand: 'N:AQ.2.. .*expected 8"):
        database.level(2).value(ENDING, Strain.NOTRUMP, Seat.SOUTH)
    with pytest.raises(InvalidDeal, match="not 2 cards"):
        database.level(2).set_of(ENDING, Strain.NOTRUMP, Seat.SOUTH)
    unequal = Deal.from_pbn("N:AQ2... K3... 54... 6...")
    with pytest.raises(InvalidDeal, match="not 2 cards"):
        database.level(2).value(unequal, Strain.NOTRUMP, Seat.SOUTH)


def rows(plays: list[Play]) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8]]:
    hands = np.array([[hand.bits for hand in play.remaining] for play in plays], np.uint64)
    strains = np.array([play.strain for play in plays], np.uint8)
    leaders = np.array([play.turn for play in plays], np.uint8)
    return hands, strains, leaders


@pytest.mark.parametrize("tricks", [1, 2, 3])
def test_values_of_many_are_the_values_of_each(database: EndingDatabase, tricks: int) -> None:
    rng = Random(tricks)
    level = database.level(tricks)
    plays = [random_position(rng, tricks, on_table=0) for _ in range(500)]
    found = level.values(*rows(plays))
    assert found.dtype == np.uint8
    for play, value in zip(plays, found, strict=True):
        assert level.value(play.remaining, play.strain, play.turn) == value
    hands, strains, leaders = rows(plays)
    assert len(level.values(hands[:0], strains[:0], leaders[:0])) == 0


def test_bad_rows_are_named(database: EndingDatabase) -> None:
    rng = Random(4)
    level = database.level(2)
    hands, strains, leaders = rows([random_position(rng, 2, on_table=0) for _ in range(5)])
    for place, column, value in ((3, 0, 7), (1, 2, 0), (4, 1, hands[4, 0])):
        damaged = hands.copy()
        damaged[place, column] = value
        with pytest.raises(InvalidDeal, match=f"row {place} is not a position with 2 cards"):
            level.values(damaged, strains, leaders)
    with pytest.raises(InvalidDeal, match=r"row 2 .* strain 5"):
        level.values(hands, np.array([0, 1, 5, 2, 3], np.uint8), leaders)
    with pytest.raises(InvalidDeal, match=r"row 0 .* leader 4"):
        level.values(hands, strains, np.array([4, 0, 0, 0, 0], np.uint8))


# Sets


def test_the_set_of_a_known_ending_names_the_cards_that_matter(database: EndingDatabase) -> None:
    deals = database.level(3).set_of(ENDING, Strain.NOTRUMP, Seat.SOUTH)
    assert deals.contains(ENDING)
    assert deals.holders[Card.from_text("SA")] == {Seat.NORTH}
    assert deals.holders[Card.from_text("HA")] == {Seat.EAST}
    assert deals.holders[Card.from_text("S3")] == frozenset(Seat)
    value = database.query(deals, Strain.NOTRUMP, Seat.SOUTH)
    assert value.histogram == {2: value.deals}
    assert value.deals > 1
    assert value.shapes == 1


def test_one_trick_in_one_suit_is_won_by_the_highest_card(database: EndingDatabase) -> None:
    value = database.query(DealSet.from_text("SAKQJ=x"), Strain.NOTRUMP, Seat.WEST)
    assert value.deals == 24
    assert value.histogram == {0: 12, 1: 12}
    assert (value.min, value.max, value.mean, value.variance) == (0, 1, 0.5, 0.25)


def test_decisive_cards_by_hand(database: EndingDatabase) -> None:
    # One trick, spades only: N-S win it if one of them has the ace. Of the 24 deals each seat
    # has the ace in 6; where South has the king, the ace is with North in 2 of 6.
    decisive = database.decisive_cards(DealSet.from_text("SAKQJ=x"), Strain.NOTRUMP, Seat.WEST)
    by_card = {str(entry.card): entry for entry in decisive}
    assert str(decisive[0].card) == "SA"
    ace = by_card["SA"]
    assert ace.mean_by_holder == {Seat.NORTH: 1, Seat.EAST: 0, Seat.SOUTH: 1, Seat.WEST: 0}
    assert set(ace.deals_by_holder.values()) == {6}
    assert ace.share == pytest.approx(1.0)
    king = by_card["SK"]
    assert king.mean_by_holder[Seat.SOUTH] == pytest.approx(1 / 3)
    assert king.mean_by_holder[Seat.WEST] == pytest.approx(2 / 3)
    assert king.share == pytest.approx((1 / 6) ** 2 / 0.25)


def test_decisive_cards_of_equal_deals_explain_nothing(database: EndingDatabase) -> None:
    decisive = database.decisive_cards(DealSet.from_text("SA=N SKQJ=x"), Strain.SPADES, Seat.EAST)
    assert {entry.share for entry in decisive} == {0.0}
    assert [str(entry.card) for entry in decisive] == ["SK", "SQ", "SJ"]


def test_lengths_narrow_a_set(database: EndingDatabase) -> None:
    whole = "SAKQJ=x HAKQJ=x"
    counts = []
    for more in ("", "N.S=2", "N.S=1", "N.S=0"):
        deals = DealSet.from_text(f"{whole} {more}")
        counts.append(database.query(deals, Strain.NOTRUMP, Seat.NORTH).deals)
    assert counts[0] == sum(counts[1:]) == 2520
    assert counts[1] == counts[3]


def test_a_set_without_deals_is_refused(database: EndingDatabase) -> None:
    for text in ("SAKQJ=N", "SAKQJ=x N.S=0", "SAKQJ=x HAKQJ=x N.S>=2 N.H>=1"):
        with pytest.raises(InvalidDeal, match=r"no deal is in the set .*(expected one that gives)"):
            database.query(DealSet.from_text(text), Strain.NOTRUMP, Seat.NORTH)


def test_mean_and_variance_of_a_histogram() -> None:
    value = SetValue(4, {0: 1, 2: 2, 4: 1}, 1)
    assert (value.min, value.max, value.mean, value.variance) == (0, 4, 2.0, 2.0)


def test_a_trick_for_every_order_of_four_cards(database: EndingDatabase) -> None:
    """Hearts led or thrown on spades: the query agrees with thinking it out."""
    cards = [Card.from_text(text) for text in ("SA", "SK", "HA", "H2")]
    for trumps in (Strain.NOTRUMP, Strain.HEARTS):
        won = 0
        for order in permutations(cards):
            lead = order[0]
            suits = [lead.suit] if trumps is Strain.NOTRUMP else [lead.suit, trumps.suit]
            strongest = [card for card in order if card.suit == suits[-1]] or [
                card for card in order if card.suit == lead.suit
            ]
            won += order.index(max(strongest, key=lambda card: card.rank)) % 2 == 0
        value = database.query(DealSet.from_text("SAK=x HA2=x"), trumps, Seat.EAST)
        assert value.histogram == {0: won, 1: 24 - won}


# Damage


@pytest.fixture
def copy(endings: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(level_path(2, endings), tmp_path / "two.diagrams"))


def read_all(path: Path) -> None:
    level = DiagramLevel(path)
    level.check()
    for rank in range(level.shapes):
        level.values_of_shape(rank)


def test_a_flipped_bit_anywhere_is_noticed(copy: Path) -> None:
    whole = copy.read_bytes()
    rng = Random(6)
    used = 320  # of the header; the rest of its page is filling
    places = [*rng.sample(range(used), 60), *rng.sample(range(4096, len(whole)), 60)]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        copy.write_bytes(damaged)
        with pytest.raises(DatabaseError, match=r"two\.diagrams"):
            read_all(copy)


def test_a_file_cut_short_or_too_long_is_refused(copy: Path) -> None:
    whole = copy.read_bytes()
    for data in (b"", whole[:100], whole[:4096], whole[:-1], whole[: len(whole) // 2], whole * 2):
        copy.write_bytes(data)
        with pytest.raises(DatabaseError, match=r"two\.diagrams: "):
            DiagramLevel(copy)


def test_a_damaged_block_is_noticed_by_the_probe_that_reads_it(copy: Path) -> None:
    damaged = bytearray(copy.read_bytes())
    for place in range(4096, 4096 + 2054 * 4, 4):  # the roots of shapes
        damaged[place] ^= 1
    copy.write_bytes(damaged)
    level = DiagramLevel(copy)
    deal = Deal.from_pbn("N:AQ... K3... 54... 76...")
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"damaged \(checksum of block 0"):
            level.value(deal, Strain.NOTRUMP, Seat.NORTH)
        with pytest.raises(DatabaseError, match="damaged"):
            level.count(DealSet.of_deal(deal), Strain.NOTRUMP, Seat.NORTH)


def test_a_directory_or_nothing_is_no_level(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="not a file"):
        DiagramLevel(tmp_path)
    with pytest.raises(DatabaseError, match="No such file"):
        DiagramLevel(tmp_path / "none")


# Against DDS


@pytest.mark.slow
def test_sixteen_cards_have_the_values_of_dds(tmp_path: Path) -> None:
    peer = Peer()
    for tricks in (3, 4):
        build_diagrams(tricks, level_path(tricks, tmp_path))
    database = EndingDatabase.open(tmp_path)
    rng = Random(16)
    plays = [random_position(rng, 4) for _ in range(3000)]
    for start in range(0, len(plays), BATCH):
        batch = plays[start : start + BATCH]
        for play, expected in zip(batch, peer.card_values(batch), strict=True):
            probe = database.probe(play.deal, play.strain, play.leader, played=play.cards)
            found = {value.card: value.tricks for value in probe.cards}
            assert found == expected, play
            if not play.current_trick.cards:
                value = database.level(4).value(play.remaining, play.strain, play.turn)
                assert value == max(expected.values()), play


# Text, and how answers print


def test_text_is_taken_wherever_a_value_is_meant(database: EndingDatabase) -> None:
    deal = "N:AQ.2.. K3.A.. 54.3.. 76.4.."
    probe = database.probe(deal, "NT", "S")
    assert probe == database.probe(Deal.from_pbn(deal), Strain.NOTRUMP, Seat.SOUTH)
    assert database.probe(deal, "NT", "S", played="H3 H4").deals is None
    deals = "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW"
    value = database.query(deals, "nt", "South")
    assert value == database.query(DealSet.from_text(deals), Strain.NOTRUMP, Seat.SOUTH)
    assert database.decisive_cards(deals, "NT", "S")[0].card == Card.from_text("H4")
    level = database.level(3)
    assert level.value(deal, "NT", "S") == 2
    assert level.set_of(deal, "NT", "S") == probe.deals
    assert level.count(deals, "NT", "S")[0] == [0, 20, 180, 0]


@pytest.mark.parametrize(
    "question",
    [
        ("N:AQ.2.. K3.A.. 54.3..", "NT", "S"),
        ("N:AQ.2.. K3.A.. 54.3.. 76.4..", "Q", "S"),
        ("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", 7),
        (None, "NT", "S"),
    ],
)
def test_what_makes_no_sense_is_invalid_input(
    database: EndingDatabase, question: tuple[Any, Any, Any]
) -> None:
    with pytest.raises(InvalidInput):
        database.probe(*question)
    with pytest.raises(InvalidInput):
        database.query(*question)


def test_answers_print_well(database: EndingDatabase) -> None:
    probe = database.probe("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "S")
    assert str(probe).splitlines()[:3] == [
        "N-S take 2 tricks, E-W 1",
        "  ♥3: 2 tricks",
        "  ♠5 ♠4: 1 trick, costs 1",
    ]
    value = database.query("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW", "NT", "S")
    assert str(value).startswith("200 deals: N-S take 1 to 2 tricks, 1.90 on average\nN-S tricks")
    assert str(database.query("SA=N SK=E SQ=S SJ=W", "NT", "N")).startswith(
        "1 deal: N-S take 1 trick in each"
    )
    first = database.decisive_cards("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW", "NT", "S")[0]
    assert str(first) == "♥4  13.6%: with South 2.00, with West 1.78 tricks on average"
    for answer in (probe, value):
        assert answer._repr_html_().startswith("<pre>")
    assert str(database).splitlines()[2].startswith("12 cards: 33,719,616 endings")


def test_arrays_of_different_lengths_are_refused(database: EndingDatabase) -> None:
    hands = np.zeros((2, 4), np.uint64)
    one = np.zeros(1, np.uint8)
    with pytest.raises(InvalidInput, match="2 rows of hands, 1 strains and 1 leaders"):
        database.level(1).values(hands, one, one)
