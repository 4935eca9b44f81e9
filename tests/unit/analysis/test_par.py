"""Par against the definition, against published answers and against a peer."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.par import par_score_ns
from setrograde.analysis.par import Par, ParContract, par
from setrograde.bridge import Doubling, InvalidInput, Seat, Side, Strain, TrickTable, Vulnerability
from setrograde.bridge.scoring import score_board
from setrograde.formats.dds_list import parse_dds_records
from support import shared_data

VULNERABILITIES = list(Vulnerability.__members__.values())


def table_of(**rows: str) -> TrickTable:
    """A table from rows by declarer in the order C D H S NT: `N="7 7 7 7 7"`; `NS`, `EW` too."""
    by_seat = {letter: row.split() for who, row in rows.items() for letter in who}
    return TrickTable.from_function(lambda seat, strain: int(by_seat[seat.letter][strain]))


def random_table(rng: Random) -> TrickTable:
    """What one side takes the other does not, give or take the lead."""
    base = [rng.randint(1, 12) for _ in Strain]

    def tricks(seat: Seat, strain: Strain) -> int:
        most = base[strain] if seat.side is Side.NS else 13 - base[strain]
        return max(0, most - (rng.random() < 0.2))

    return TrickTable.from_function(tricks)


@st.composite
def tables(draw: st.DrawFn) -> TrickTable:
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        return random_table(rng)
    return TrickTable.from_function(lambda seat, strain: rng.randint(0, 13))


# Unit: one behaviour each.


def test_par_of_a_board_nobody_can_make_is_to_pass() -> None:
    result = par(table_of(NSEW="6 6 6 6 6"), Seat.NORTH, Vulnerability.NONE)
    assert result == Par(0, ())
    assert result.is_passed_out
    assert (result.contract_text, result.score_text) == ("Pass", "NS 0")


def test_a_partscore_is_listed_at_its_lowest_level_with_overtricks() -> None:
    result = par(table_of(NS="4 4 4 4 4", EW="6 6 6 9 6"), Seat.NORTH, Vulnerability.NONE)
    assert (result.contract_text, result.score_text) == ("EW 1S+2", "NS -140")


def test_a_partscore_must_be_bid_above_the_other_sides_cheap_bids() -> None:
    result = par(table_of(NS="5 5 8 5 5", EW="6 6 5 8 6"), Seat.NORTH, Vulnerability.BOTH)
    assert result.contract_text == "EW 2S"


def test_a_sacrifice_pays_only_at_the_right_vulnerability() -> None:
    table = table_of(NS="3 3 9 3 3", EW="6 6 4 10 6")
    favourable = par(table, Seat.EAST, Vulnerability.EW)
    unfavourable = par(table, Seat.EAST, Vulnerability.NS)
    assert (favourable.score_ns, favourable.contract_text) == (-300, "NS 5HX-2")
    assert (unfavourable.score_ns, unfavourable.contract_text) == (-420, "EW 4S")


def test_only_the_better_declarer_is_listed() -> None:
    table = table_of(N="4 4 4 4 9", S="4 4 4 4 8", EW="6 6 6 6 4")
    result = par(table, Seat.WEST, Vulnerability.NONE)
    assert result.contract_text == "N 3NT"
    assert result.contracts[0].declarers == (Seat.NORTH,)


def test_equal_games_are_listed_from_the_lowest() -> None:
    result = par(table_of(NS="11 11 6 6 9", EW="2 2 5 5 3"), Seat.WEST, Vulnerability.EW)
    assert result.contract_text == "NS 3NT,NS 5C,NS 5D"


def test_the_dealer_wins_the_race_where_both_sides_make_one_notrump() -> None:
    table = table_of(NSEW="6 6 6 6 7")
    scores = [par(table, dealer, Vulnerability.NONE).score_ns for dealer in Seat]
    assert scores == [90, -90, 90, -90]


def test_contracts_name_doubling_and_declarers() -> None:
    sacrifice = ParContract(5, Strain.HEARTS, (Seat.NORTH, Seat.SOUTH), 9)
    assert sacrifice.doubling is Doubling.DOUBLED
    assert [str(contract) for contract in sacrifice.contracts()] == ["5HXN", "5HXS"]
    assert sacrifice.side is Side.NS


@pytest.mark.parametrize("declarers", [(), (Seat.NORTH, Seat.EAST)])
def test_declarers_are_of_one_side(declarers: tuple[Seat, ...]) -> None:
    with pytest.raises(InvalidInput, match="declarers of one side"):
        ParContract(3, Strain.NOTRUMP, declarers, 9)


# Laws.


@settings(max_examples=60)
@given(tables(), st.sampled_from(Seat), st.sampled_from(VULNERABILITIES))
def test_par_is_the_value_of_the_auction_game(
    table: TrickTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    assert par(table, dealer, vulnerability).score_ns == par_score_ns(table, dealer, vulnerability)


@given(tables(), st.sampled_from(Seat), st.sampled_from(VULNERABILITIES))
def test_every_par_contract_scores_par(
    table: TrickTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    result = par(table, dealer, vulnerability)
    assert bool(result.contracts) == (result.score_ns != 0)
    for listed in result.contracts:
        for contract in listed.contracts():
            tricks = table.tricks(contract.declarer, contract.strain)
            assert tricks == listed.tricks_declarer
            assert score_board(contract, tricks, vulnerability) == result.score_ns


@given(tables(), st.sampled_from(Seat), st.sampled_from(VULNERABILITIES))
def test_turning_the_table_by_one_seat_turns_the_score(
    table: TrickTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    turned = TrickTable(table.rows[3:] + table.rows[:3])
    swapped = Vulnerability((vulnerability & 1) << 1 | vulnerability >> 1)
    assert par(turned, dealer.next, swapped).score_ns == -par(table, dealer, vulnerability).score_ns


@given(tables(), st.sampled_from(VULNERABILITIES))
def test_dealing_first_never_costs(table: TrickTable, vulnerability: Vulnerability) -> None:
    north, east, south, west = (par(table, dealer, vulnerability) for dealer in Seat)
    assert north == south
    assert east == west
    assert north.score_ns >= east.score_ns


# Published answers: DDS writes doubled contracts with a star, notrump as N.

_DDS_CONTRACT = re.compile(r"(?P<bid>\d[CDHSN])(?P<star>\*?)-(?P<who>[NESW]+)(?P<result>[+-]\d+)?")


def from_dealer_par(text: str) -> str:
    """`4N-W+1` of a PAR2 line as ours: `W 4NT+1`."""
    match = _DDS_CONTRACT.fullmatch(text)
    assert match, text
    bid = match["bid"].replace("N", "NT")
    return f"{match['who']} {bid}{match['star'] and 'X'}{match['result'] or ''}"


def levels_of(contract: ParContract) -> str:
    """Ours as a PAR line has it, with all equivalent levels: `W 45N`."""
    who, _ = str(contract).split()
    top = contract.level + max(0, contract.overtricks)
    levels = "".join(str(level) for level in range(contract.level, top + 1))
    cross = "x" if contract.doubling else ""
    return f"{who} {levels}{'CDHSN'[contract.strain]}{cross}"


@pytest.mark.parametrize(("name", "count"), [("dds_list10.txt", 10), ("dds_list100.txt", 100)])
def test_published_pars_agree_in_score_and_contracts(name: str, count: int) -> None:
    records = parse_dds_records(shared_data("dd", name).read_bytes())
    assert len(records) == count
    for record in records:
        assert record.table is not None
        result = par(record.table, record.dealer, record.vulnerability)
        score, *contracts = record.par2
        assert result.score_ns == int(score)
        assert {str(c) for c in result.contracts} == {from_dealer_par(c) for c in contracts}


@pytest.mark.parametrize("name", ["dds_list10.txt", "dds_list100.txt"])
def test_published_pars_of_either_side_dealing_agree_with_all_levels(name: str) -> None:
    for record in parse_dds_records(shared_data("dd", name).read_bytes()):
        assert record.table is not None
        for dealer, text in zip((Seat.NORTH, Seat.EAST), record.par[2:], strict=True):
            result = par(record.table, dealer, record.vulnerability)
            assert result.score_text == record.par[0]
            _, _, listed = text.partition(":")
            assert {levels_of(c) for c in result.contracts} == set(listed.split(","))


# Peer. On tables no deal can have, such as both sides taking thirteen tricks, DDS leaves the game
# out: a side may open 7NT only to keep the others from it. Plausible tables agree throughout.


def peer_par(
    dds: object, table: TrickTable, dealer: Seat, vulnerability: Vulnerability
) -> tuple[int, set[str]]:
    results = dds.ddTableResults()  # type: ignore[attr-defined]
    for row, strain in enumerate((3, 2, 1, 0, 4)):
        for seat in Seat:
            results.resTable[row][seat] = table.rows[seat][strain]
    answer = dds.parResultsMaster()  # type: ignore[attr-defined]
    dds.DealerParBin(results, answer, int(dealer), (0, 2, 3, 1)[vulnerability])  # type: ignore[attr-defined]
    contracts = set()
    for found in answer.contracts[: answer.number]:
        who = ("N", "E", "S", "W", "NS", "EW")[found.seats]
        bid = f"{found.level}{('NT', 'S', 'H', 'D', 'C')[found.denom]}"
        over = found.overTricks - found.underTricks
        contracts.add(f"{who} {bid}{'X' if over < 0 else ''}{f'{over:+d}' if over else ''}")
    return answer.score, contracts


def test_random_plausible_tables_agree_with_the_peer() -> None:
    dds = pytest.importorskip("endplay._dds")
    rng = Random(20130531)
    for _ in range(300):
        table, dealer = random_table(rng), Seat(rng.randrange(4))
        vulnerability = Vulnerability(rng.randrange(4))
        result = par(table, dealer, vulnerability)
        score, contracts = peer_par(dds, table, dealer, vulnerability)
        ours = {str(contract) for contract in result.contracts}
        assert (result.score_ns, ours) == (score, contracts), str(table)
