"""Boards reviewed: costs known by hand, and boards of which little is known."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from threading import Thread
from time import monotonic, sleep

import pytest

from setrograde.analysis.review import BoardReview, Review, Role, review_board, review_boards
from setrograde.bridge import (
    Auction,
    Board,
    Card,
    Contract,
    Deal,
    InvalidInput,
    Play,
    Seat,
    Side,
    Strain,
    Vulnerability,
)
from setrograde.common.stop import StopFlag, Stopped
from support import random_deal

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")
BOARD = Board.numbered(1, DEAL)
NAMES = ("Nora", "Edgar", "Sunniva", "Walter")
# South throws East in with a heart; East must lead a spade into the ace and queen.
ENDING = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.from_text(word) for word in text.split())


def played(text: str, contract: str = "3NTN", deal: Deal = DEAL) -> Board:
    """A board with these cards played in a contract."""
    final = Contract.from_text(contract)
    play = Play(deal, final.strain, final.leader, cards(text))
    return replace(BOARD, deal=deal, contract=final, play=play, players=NAMES)


def test_lead_that_costs_a_trick_is_priced_in_tricks_and_points() -> None:
    play = Play(ENDING, Strain.NOTRUMP, Seat.WEST, cards("H4 H2 HA H3"))
    review = review_board(Board(deal=ENDING, play=play))
    assert [card.cost_tricks for card in review.cards] == [1, 0, 0, 0]
    assert review.cards[0].role is Role.LEAD
    assert review.cards[0].better == cards("S7 S6")
    assert review.cards[0].cost_points is None
    assert review.tricks_double_dummy == 1


def test_card_of_dummy_is_charged_to_declarer() -> None:
    # Dummy's queen on the first spade gives up the trick that the ace would keep.
    deal = Deal.from_pbn("N:AQ... K3... 54... 76...")
    play = Play(deal, Strain.NOTRUMP, Seat.WEST, cards("S6 SQ SK S4"))
    review = review_board(Board(deal=deal, play=play))
    dummy = review.cards[1]
    assert (dummy.seat, dummy.player, dummy.role) == (Seat.NORTH, Seat.SOUTH, Role.DECLARER)
    assert [player.declarer.count for player in review.players] == [0, 0, 2, 0]


def test_points_follow_from_the_contract() -> None:
    # East may cash three hearts and two aces only by leading hearts or clubs early enough.
    review = review_board(played("HA H5 H2 H8"))
    assert review.contract_score_ns == 400
    assert [card.cost_points for card in review.cards] == [0, 0, 0, 0]
    worse = review_board(played("HA H5 HJ H8"))
    card = worse.cards[2]
    assert (card.seat, card.cost_tricks, card.cost_points) == (Seat.WEST, 0, 0)


def test_claim_below_the_double_dummy_value_is_charged_to_declarers_side() -> None:
    board = played("HA H5 H2 H8")
    assert board.play is not None
    review = review_board(replace(board, play=board.play.claim(8)))
    assert review.rest is not None
    assert review.rest.is_claim
    assert (review.rest.side, review.rest.cost_tricks, review.rest.cost_points) == (Side.NS, 1, 450)
    assert review.score_ns == -50
    assert review.losses(Side.NS).rest == 450
    assert review.losses(Side.EW).rest == 0


def test_result_without_play_is_compared_as_well() -> None:
    review = review_board(replace(BOARD, contract=Contract.from_text("3NTN"), tricks_declarer=10))
    assert review.rest is not None
    assert not review.rest.is_claim
    assert review.rest.side is Side.EW
    assert review.against_par_ns == 30
    assert review.cards == ()


def test_passed_out_board_is_compared_with_par() -> None:
    auction = Auction.from_text("Pass Pass Pass Pass", dealer=Seat.NORTH)
    review = review_board(replace(BOARD, auction=auction))
    assert review.against_par_ns == -400
    wrong = review.went_wrong(Side.NS)
    assert wrong is not None
    assert wrong.seat is Seat.SOUTH
    assert "passed out" in str(review)


def test_board_without_auction_play_or_contract_still_has_par() -> None:
    review = review_board(BOARD)
    assert review.par is not None
    assert review.notes == ("No contract is recorded, so there is no play to review.",)
    assert "Par N-S +400: NS 3NT" in str(review)


def test_partial_play_without_a_result_says_so() -> None:
    review = review_board(played("HA H5"))
    assert review.notes == ("The result is not known.",)
    assert review.rest is None
    assert len(review.cards) == 2


@pytest.mark.parametrize(
    ("board", "note"),
    [
        (Board.numbered(1), "Not reviewed: the hands are not recorded."),
        (
            Board.numbered(1, DEAL.with_hand(Seat.EAST, DEAL[Seat.EAST] - DEAL[Seat.EAST])
                           .with_hand(Seat.WEST, DEAL[Seat.WEST] - DEAL[Seat.WEST])),
            "Not reviewed: the hands differ in length (North 13, East 0, South 13, West 0).",
        ),
        (
            replace(played("HA"), contract=Contract.from_text("3NTS")),
            "The play is not reviewed: East leads, the contract is 3NT by South.",
        ),
        (
            replace(played("HA"), contract=Contract.from_text("4SN")),
            "The play is not reviewed: it is played in NT, the contract is 4♠ by North.",
        ),
        (
            replace(played("HA"), contract=Contract.PASSED_OUT),
            "The play is not reviewed: the board was passed out.",
        ),
        (
            replace(played("HA"), deal=DEAL.rotate(2)),
            "The play is not reviewed: its cards come from another deal.",
        ),
        (
            replace(BOARD, vulnerability=None),
            "No par and no points: the vulnerability is not known.",
        ),
        (replace(BOARD, dealer=None), "No par: the dealer is not known."),
        (
            replace(played("HA H5 H2 H8"), tricks_declarer=13),
            "The result is recorded as 13 tricks for declarer, which the cards played do not"
            " allow.",
        ),
        (
            replace(BOARD, contract=Contract.from_text("4SN"),
                    auction=Auction.from_text("1NT AP", dealer=Seat.NORTH)),
            "The contract is recorded as 4♠ by North, but the auction ends in 1NT by North.",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_reviewed_is_said_in_one_sentence(board: Board, note: str) -> None:
    review = review_board(board)
    assert note in review.notes
    assert note in str(review)
    json.dumps(review.to_dict())
    assert review._repr_html_().startswith("<section")


def test_tables_of_one_deal_are_reviewed_in_their_order() -> None:
    boards = [
        replace(BOARD, contract=Contract.from_text("3NTN"), tricks_declarer=9),
        Board.numbered(2, DEAL.rotate(1)),
        replace(BOARD, contract=Contract.from_text("1SN"), tricks_declarer=9),
    ]
    review = review_boards(boards, threads=2)
    assert [one.board for one in review.boards] == boards
    assert [one.against_par_ns for one in review.boards] == [0, None, -260]


def test_players_are_added_up_by_name() -> None:
    first, second = played("HA H5 H2 H8"), replace(played("DT DK D2 D6"), players=NAMES[::-1])
    review = review_boards([first, second])
    by_name = {player.name: player for player in review.players}
    assert set(by_name) == set(NAMES)
    assert all(player.boards == 2 for player in review.players)
    assert by_name["Nora"].declarer.count == 2
    assert by_name["Edgar"].lead.count == 1
    assert sum(player.cards.count for player in review.players) == 8


def test_boards_of_one_player_are_chosen_by_part_of_the_name() -> None:
    boards = [played("HA"), replace(played("HA"), players=("A", "B", "C", "D"))]
    review = review_boards(boards).of_player("sunni")
    assert review.player == "Sunniva"
    assert len(review.boards) == 1
    assert [player.name for player in review.players] == ["Sunniva"]
    with pytest.raises(InvalidInput, match="no player 'Zoe'"):
        review_boards(boards).of_player("Zoe")
    with pytest.raises(InvalidInput, match="several players are called 'r': Nora, Edgar, Walter"):
        review_boards(boards).of_player("r")


def test_the_player_is_found_before_the_work() -> None:
    boards = [played("HA"), replace(played("HA"), players=("A", "B", "C", "D")), Board(room="Open")]
    assert review_boards(boards, player="sunni") == review_boards(boards).of_player("sunni")
    assert review_boards(boards, player="west (").boards[0].board == boards[2]
    heard: list[float] = []
    with pytest.raises(InvalidInput, match="no player 'Zoe'"):
        review_boards(boards, player="Zoe", progress=heard.append)
    assert heard == []


def test_keys_of_the_json_stay() -> None:
    board = played("HA H5 H2 H8")
    assert board.play is not None
    auction = Auction.from_text("1NT Pass 3NT AP", dealer=Seat.NORTH)
    review = review_boards([replace(board, play=board.play.claim(9), auction=auction)])
    data = json.loads(json.dumps(review.to_dict()))
    assert list(data) == ["schema", "boards", "players"]
    assert data["schema"] == 1
    one = data["boards"][0]
    assert list(one) == [
        *("board", "room", "dealer", "vulnerability", "deal", "players", "table", "par"),
        *("contract", "tricks_double_dummy", "contract_score_ns", "tricks_declarer", "score_ns"),
        *("against_par_ns", "calls", "went_wrong", "cards", "rest", "losses", "by_player"),
        "notes",
    ]
    assert list(one["calls"][0]) == [
        *("turn", "seat", "call", "before", "after", "cost_points", "known"),
    ]
    assert list(one["cards"][0]) == [
        *("number", "trick", "seat", "player", "role", "card", "tricks_before", "tricks_after"),
        *("cost_tricks", "cost_points", "better", "known"),
    ]
    assert list(one["rest"]) == [
        *("cards_left", "is_claim", "tricks_double_dummy", "tricks_declarer", "side"),
        *("cost_tricks", "cost_points"),
    ]
    assert list(data["players"][0]) == [
        *("player", "boards", "bidding", "declarer", "lead", "defence", "cards", "points"),
    ]
    assert one["cards"][0]["known"] is None
    assert one["losses"] == {
        "NS": {"bidding": 0, "cards": 0, "rest": 0},
        "EW": {"bidding": 0, "cards": 0, "rest": 0},
    }


def test_page_of_a_board_marks_what_cost() -> None:
    board = replace(
        played("HA H5 H2 H8"), auction=Auction.from_text("1NT Pass 2NT AP", dealer=Seat.NORTH)
    )
    text = str(review_board(replace(board, contract=Contract.from_text("2NTN"))))
    assert "Pass (-250)" in text
    assert "North: Pass, cost 250 points: 3NT by North (N-S +400) was still to be reached" in text
    html = review_board(board)._repr_html_()
    assert "<b>Pass (-250)</b>" in html


def test_names_are_escaped_in_html_and_cleaned_in_text() -> None:
    board = replace(played("HA"), players=("<b>N</b>", "E\x1b[31m", None, None))
    review = Review((review_board(board),))
    assert "<b>N</b>" not in review._repr_html_()
    assert "\x1b" not in str(review)


def test_empty_file_is_no_error() -> None:
    assert str(review_boards([])) == "No boards to review"


def test_stopped_review_raises() -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        review_boards([BOARD], stop=flag)


def test_progress_reaches_the_whole() -> None:
    shares: list[float] = []
    review_boards([BOARD, Board.numbered(2, DEAL.rotate(1))], progress=shares.append)
    assert shares[-1] == 1
    assert shares == sorted(shares)


def test_review_of_a_vulnerable_contract_uses_its_points() -> None:
    board = replace(played("HA H5 H2 H8"), vulnerability=Vulnerability.BOTH, tricks_declarer=8)
    review = review_board(board)
    assert isinstance(review, BoardReview)
    assert review.rest is not None
    assert review.rest.cost_points == 700


def test_review_under_way_is_stopped_from_another_thread() -> None:
    # Many different deals: seconds of work.
    boards = [Board.numbered(1, random_deal(Random(seed))) for seed in range(200)]
    flag = StopFlag()
    ended: list[float] = []

    def work() -> None:
        with pytest.raises(Stopped):
            review_boards(boards, stop=flag)
        ended.append(monotonic())

    thread = Thread(target=work)
    thread.start()
    sleep(0.1)
    start = monotonic()
    flag.set()
    thread.join()
    assert ended[0] - start < 0.25
    found = review_board(BOARD).par
    assert found is not None
    assert found.score_ns == 400
