"""Laws of DDS lists: they round-trip, and lenient reading never raises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import deals, plays, seats, strains, tables, vulnerabilities
from setrograde.bridge import Hand
from setrograde.formats.dds_list import (
    DdsFuture,
    DdsRecord,
    format_dds_list,
    parse_dds_list,
    parse_dds_records,
)

_STRINGS = st.lists(st.text("NSEW 123-x:,*", max_size=8), max_size=4).map(tuple)


def _futures(hand: Hand, tricks: list[int]) -> tuple[DdsFuture, ...]:
    """One future for each suit held: its top card, all others equal."""
    by_suit: dict[int, list] = {}
    for card in hand:
        by_suit.setdefault(card.suit, []).append(card)
    return tuple(
        DdsFuture(cards[0], tuple(cards[1:]), value)
        for cards, value in zip(by_suit.values(), tricks, strict=False)
    )


@st.composite
def records(draw: st.DrawFn) -> DdsRecord:
    deal, strain, leader = draw(deals(None)), draw(strains), draw(seats)
    play = draw(plays(deal=deal, strain=strain, leader=leader, claims=False))
    numbers = st.lists(st.integers(0, 13), min_size=4, max_size=53)
    return DdsRecord(
        deal,
        draw(seats),
        draw(vulnerabilities),
        strain,
        leader,
        futures=_futures(deal[leader], draw(numbers)),
        table=draw(st.none() | tables()),
        par=draw(_STRINGS),
        par2=draw(_STRINGS),
        play=play.cards,
        trace=tuple(draw(numbers)),
    )


@given(st.lists(records(), max_size=3))
def test_records_round_trip(items: list[DdsRecord]) -> None:
    assert parse_dds_records(format_dds_list(items)) == tuple(items)


@given(st.lists(records(), max_size=3))
def test_boards_round_trip(items: list[DdsRecord]) -> None:
    boards = [
        DdsRecord(
            r.deal, r.dealer, r.vulnerability, r.strain, r.leader, table=r.table, play=r.play
        ).to_board(number)
        for number, r in enumerate(items, 1)
    ]
    assert list(parse_dds_list(format_dds_list(boards), strict=True)) == boards


@given(st.binary() | st.text().map(lambda text: f'PBN 0 0 0 0 "N:A... K... Q... J..."\n{text}'))
def test_lenient_reading_never_raises(data: bytes | str) -> None:
    check_reader(parse_dds_list, data)
