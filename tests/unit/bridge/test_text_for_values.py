"""Text is taken wherever a value is meant, and nonsense is quoted back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from setrograde.analysis.par import Par, ParContract, par
from setrograde.bridge import (
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    DealConstraint,
    Doubling,
    Hand,
    HandConstraint,
    HandPattern,
    InvalidInput,
    Play,
    Rank,
    Seat,
    Side,
    Strain,
    Suit,
    Trick,
    TrickTable,
    Vulnerability,
    score_board,
    score_contract,
    trick_winner,
)
from setrograde.bridge.coerce import (
    as_auction,
    as_call,
    as_card,
    as_cards,
    as_contract,
    as_deal,
    as_hand,
    as_rank,
    as_seat,
    as_side,
    as_strain,
    as_suit,
    as_vulnerability,
)
from setrograde.bridge.display import deal_html, deal_svg, format_deal, format_hand

DEAL = "N:AK... QJ... T9... 87..."
TABLE = TrickTable.from_function(lambda seat, strain: 9 if seat.side is Side.NS else 4)


def test_values_are_made_of_text() -> None:
    assert Card("s", "10") == Card(Suit.SPADES, Rank.TEN)
    assert (Seat("west"), Side("N-S"), Strain("nt"), Suit("♥"), Rank("a")) == (
        Seat.WEST,
        Side.NS,
        Strain.NOTRUMP,
        Suit.HEARTS,
        Rank.ACE,
    )
    assert Contract(4, "S", "W", "X") == Contract.from_text("4SXW")
    assert Contract.from_text("3NT", "south").declarer is Seat.SOUTH
    assert Auction("E", "1H, X AP") == Auction("E", ("1H", Call.DOUBLE, "P", "p", "Pass"))
    assert Auction("N").with_call("1NT").is_legal("X")
    assert Trick("N", "SA S2").cards == (Card("S", "A"), Card("S", "2"))
    assert trick_winner(["SA", "H2"], "W", "H") is Seat.NORTH


def test_a_play_is_made_of_text() -> None:
    play = Play(DEAL, "NT", "N", "SA SJ S9 S7")
    cards = tuple([Card("S", rank) for rank in "AJ97"])
    assert play == Play(Deal.from_pbn(DEAL), Strain.NOTRUMP, Seat.NORTH, cards)
    assert play.tricks_won("NS") == 1
    assert play.is_legal("SK") and not play.is_legal("SQ")
    assert play.with_card("SK").turn is Seat.EAST


def test_a_board_is_made_of_text() -> None:
    board = Board(1, "N", "EW", DEAL, contract="1NTW", play="SA SJ")
    assert board.dealer is Seat.NORTH
    assert board.vulnerability is Vulnerability.EW
    assert board.deal == Deal.from_pbn(DEAL)
    assert board.contract == Contract.from_text("1NTW")
    assert board.play == Play(DEAL, "NT", "N", "SA SJ")
    assert replace(board, dealer="S", auction="1C AP").auction == Auction("S", "1C AP")
    assert Board(dealer="W", deal=DEAL, auction="1NT AP", play=["SA"]).play is not None


def test_functions_take_text() -> None:
    assert score_contract("3NTS", 9, is_vulnerable=True) == 600
    assert score_board("4SXW", 9, "both") == 200
    assert Vulnerability.NS.covers("NS")
    assert TABLE.tricks("N", "NT") == 9
    assert par(TABLE, "N", "NS").contract_text == "NS 3NT"
    assert HandConstraint.from_text("has SA").allows("A...")
    assert DealConstraint.from_seats({"N": "has SA"}).allows(DEAL)
    assert HandPattern.from_text("Ax...").matches("A2...")
    assert "SA" in Hand.from_text("A...")
    assert Hand.from_cards("SA SK") == Hand.from_text("AK...")
    assert Hand.from_text("AK...").length("S") == 2
    for picture in (format_deal, deal_html, deal_svg):
        assert "Dealer East" in picture(DEAL, dealer="E", vulnerability="none")
    assert "AK" in format_hand("AK...")


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (as_card, "SA", Card("S", "A")),
        (as_suit, "S", Suit.SPADES),
        (as_rank, "A", Rank.ACE),
        (as_strain, "NT", Strain.NOTRUMP),
        (as_seat, "N", Seat.NORTH),
        (as_side, "ew", Side.EW),
        (as_vulnerability, "All", Vulnerability.BOTH),
        (as_hand, "A...", Hand.from_text("A...")),
        (as_deal, DEAL, Deal.from_pbn(DEAL)),
        (as_call, "1NT", Call.from_text("1NT")),
        (as_contract, "3NTS", Contract.from_text("3NTS")),
        (lambda text: as_auction(text, "N"), "1C", Auction("N", "1C")),
    ],
)
def test_text_becomes_the_value_and_a_value_stays(
    read: Callable[[object], object], text: str, value: object
) -> None:
    assert read(text) == value
    assert read(value) is value
    for nonsense in ("?!", 3.5, None):
        with pytest.raises(InvalidInput) as caught:
            read(nonsense)
        assert repr(nonsense) in str(caught.value)
        assert "expected" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Seat(7), r"not a seat: 7 \(expected 0 to 3, or text\)"),
        (lambda: Strain("X"), r"not a strain: 'X' \(expected C, D, H, S or NT\)"),
        (lambda: Side("NE"), r"not a side: 'NE' \(expected NS or EW\)"),
        (lambda: Doubling("XXX"), r"not a doubling: 'XXX' \(expected '', 'X' or 'XX'\)"),
        (lambda: Hand(1 << 13), r"not a card set: 0x2000 \(expected"),
        (lambda: TrickTable(((1,),)), r"not a table: \(\(1,\),\) \(expected 4 rows of 5"),
        (lambda: trick_winner("", "N", "S"), "not a trick: 0 cards"),
        (lambda: Board(auction="1C"), r"no dealer for the calls '1C' \(expected dealer="),
        (lambda: Board(play="SA"), "no deal or no contract for the play 'SA'"),
        (lambda: as_cards("SA S1"), "not a card: 'S1'"),
        (lambda: Deal.from_pbn(DEAL)["Q"], "not a seat: 'Q'"),
        (lambda: TABLE.tricks("N", "Z"), "not a strain: 'Z'"),
    ],
)
def test_bad_values_are_quoted(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


def test_par_knows_its_contracts() -> None:
    found = Par(140, (ParContract(1, Strain.SPADES, (Seat.NORTH,), 9),))
    assert [f"{level}SN" in found for level in range(1, 5)] == [True, True, True, False]
    assert "1SS" not in found and "1HN" not in found and "1SXN" not in found
    assert "Pass" not in found and "Pass" in Par(0, ())
    sacrifice = Par(-300, (ParContract(5, Strain.HEARTS, (Seat.NORTH, Seat.SOUTH), 9),))
    assert "5HXS" in sacrifice and "5HS" not in sacrifice


def test_results_print_well() -> None:
    found = Par(140, (ParContract(1, Strain.HEARTS, (Seat.NORTH,), 9),))
    assert str(found) == "Par NS 140: N 1H+2"
    assert "♥" in found._repr_html_()
    assert str(Par(0, ())) == "Par NS 0: Pass"
    play = Play(DEAL, "NT", "N", "SA")
    assert str(play).startswith("NT, North leads\n")
    assert str(Board.numbered(3, DEAL)).startswith("Board 3")
    for value in (play, Board.numbered(3, DEAL), Auction("N", "1C"), TABLE, found):
        assert value._repr_html_().startswith("<div")
        assert f"{type(value).__name__}(" not in str(value)


def test_all_cards_are_the_full_hand() -> None:
    assert len(Hand.FULL) == 52
    assert set(Hand.FULL) == set(Card.ALL)
    assert str(Hand.FULL - Hand.from_text("AK32...")).startswith("QJT987654.AKQ")


def test_whole_values_are_made_of_one_text() -> None:
    assert Card("SA") == Card("S", "A") == Card("♠A")
    assert Hand("AK...") == Hand.from_text("AK...")
    assert Deal(DEAL) == Deal.from_pbn(DEAL)
    assert Call("1nt") == Call.from_text("1NT")
    assert Contract("4SXW") == Contract(4, "S", "W", "X") == Contract("4SX", declarer="W")
    assert replace(Contract("4SXW"), level=5) == Contract("5SXW")


@pytest.mark.parametrize(
    ("make", "value"),
    [
        (lambda: Seat(" n "), Seat.NORTH),
        (lambda: Strain("notrump"), Strain.NOTRUMP),
        (lambda: Strain("No Trump"), Strain.NOTRUMP),
        (lambda: Strain("hearts"), Strain.HEARTS),
        (lambda: Suit("spade"), Suit.SPADES),
        (lambda: Suit("clubs"), Suit.CLUBS),
        (lambda: Rank("king"), Rank.KING),
        (lambda: Rank("10"), Rank.TEN),
        (lambda: Side("e/w"), Side.EW),
        (lambda: Vulnerability("both"), Vulnerability.BOTH),
        (lambda: Vulnerability("-"), Vulnerability.NONE),
        (lambda: ~Vulnerability.NS, Vulnerability.EW),
        (lambda: Vulnerability.NS | Vulnerability.EW, Vulnerability.BOTH),
        (lambda: Deal(DEAL)[2], Hand("T9...")),
    ],
)
def test_every_usual_name_is_read(make: Callable[[], object], value: object) -> None:
    assert make() is value or make() == value
    assert type(make()) is type(value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Suit("NT"), r"not a suit: 'NT' \(expected C, D, H or S\)"),
        (lambda: Vulnerability("red"), r"not a vulnerability: 'red' \(expected None, NS, EW"),
        (lambda: Vulnerability(7), r"not a vulnerability: 7 \(expected 0 to 3, or text\)"),
        (lambda: Deal(DEAL)[7], r"not a seat: 7 \(expected 0 to 3, or text\)"),
        (lambda: Deal(DEAL)[-1], "not a seat: -1"),
        (lambda: Deal(DEAL)[None], "not a seat: None"),
        (lambda: Deal(5), r"not a deal: 5 \(expected a Deal, or text like 'N:"),
        (lambda: Deal("x"), r"not a deal: 'x' \(expected"),
        (lambda: Hand("AK"), r"not a hand: 'AK' \(expected four suits with dots"),
        (lambda: Hand("A...")["X"], r"not a suit: 'X' \(expected"),
        (lambda: Card("S1"), "not a card: 'S1'"),
        (lambda: Card(Suit.SPADES), r"not a card: Suit.SPADES \(expected a Card, or text"),
        (lambda: Call("8S"), "not a call: '8S'"),
        (lambda: Call(None), "not a call: None"),
        (lambda: Contract("4S"), r"no declarer in '4S' \(expected like '4SW', or"),
        (lambda: Contract(4), r"not a strain: None"),
        (lambda: Board(DEAL), r"not a board number: 'N:AK.*deal= takes the cards"),
        (lambda: Board(dealer=3), r"not a seat: 3 \(expected a Seat, or text"),
        (lambda: Board(deal=3), r"not a deal: 3 \(expected a Deal, or text"),
        (lambda: Board(dealer="N", auction=3), "not an auction: 3"),
        (lambda: Board(tricks_declarer="9"), "not a number of tricks: '9'"),
        (lambda: par(DEAL, "N", "none"), r"not a table: 'N:AK.*as solve_table gives"),
        (lambda: TABLE.tricks(5, "NT"), "not a seat: 5"),
    ],
)
def test_what_is_no_value_is_refused_with_what_is_right(
    make: Callable[[], object], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


def test_hands_give_their_suits() -> None:
    hand = Hand("AK32.QJ.T98.5432")
    assert (hand.spades, hand.hearts, hand.diamonds, hand.clubs) == ("AK32", "QJ", "T98", "5432")
    assert [hand[suit] for suit in ("S", Suit.HEARTS, "♦", "clubs")] == str(hand).split(".")
    assert Deal(DEAL)["E"].hearts == ""


def test_par_is_asked_as_players_ask() -> None:
    found = Par(140, (ParContract(1, Strain.SPADES, (Seat.NORTH, Seat.SOUTH), 9),))
    for text in ("1S", "3♠", "NS 2S", "N 2S", "2SN", "2S by S", "N-S 1S+2", "NS 3S=", "3s ns"):
        assert text in found, text
    for text in ("4S", "3D", "EW 2S", "2SE", "1S+1", "N 1S E", "2SX", "3SX", "Pass"):
        assert text not in found, text
    sacrifice = Par(-300, (ParContract(5, Strain.DIAMONDS, (Seat.WEST,), 9),))
    assert str(sacrifice.contracts[0]) in sacrifice and "5DX" in sacrifice
    assert "5D" not in sacrifice and "5DXE" not in sacrifice
    assert Contract("5DXW") in sacrifice
    with pytest.raises(InvalidInput, match=r"not a contract: '8D' \(expected like '3D', '3DN' or"):
        _ = "8D" in sacrifice


@pytest.mark.parametrize("dealer", "NESW")
def test_every_par_contract_is_in_par_as_it_is_printed(dealer: str) -> None:
    for tricks in range(14):
        table = TrickTable.from_function(
            lambda seat, strain, n=tricks: (n + 3 * seat + 2 * strain) % 14  # type: ignore[misc]
        )
        found = par(table, dealer, "NS")
        assert all(text in found for text in found.contract_text.split(","))
        assert all(each.pretty in found for each in found.contracts)
