"""The player: legal cards, the same seed the same card, state from move to move, budgets."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from setrograde.bridge import Board, Card, Contract, Deal, Hand, Play, Seat
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput, Stopped
from setrograde.formats.pbn.document import PbnDocument
from setrograde.robot import Knowledge, Player
from setrograde.robot.inference import equal_classes
from setrograde.robot.play.goals import GOALS, Goal
from setrograde.robot.play.halving import halve
from setrograde.robot.play.monte_carlo import CardTable, average
from setrograde.robot.values import DoubleDummy
from support import random_position

DEAL = Deal("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")


def view(deal: Deal | str, contract: str, played: str) -> Knowledge:
    """What the player on turn knows."""
    board = Board(deal=deal, contract=contract)
    assert board.deal is not None and board.contract is not None
    play = Play(board.deal, board.contract.strain, board.contract.leader, played)
    return Knowledge.of_board(replace(board, play=play))


def positions(seed: int, count: int) -> list[Knowledge]:
    """Random positions as the player on turn knows them."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        play = random_position(rng, rng.randint(2, 8))
        contract = Contract(1, play.strain, play.leader.next_by(3))
        board = Board(deal=play.deal, contract=contract, play=play)
        if play.cards:
            found.append(Knowledge.of_board(board))
    return found


def test_a_shown_out_defender_is_finessed() -> None:
    """West showed out of spades, so that East has the king."""
    deal = "N:T43..6. K95..3. AQ2..4. ..5.AKQ"
    known = view(deal, "1NTS", "D5 D6 D3 D4 ST S5 S2 CQ S3 S9")
    made = Player(worlds=20, goal="tricks").decide(known)
    assert str(made.choice) == "SQ"
    assert made.candidates[0].value > made.candidates[1].value


def test_every_card_is_legal_and_recorded() -> None:
    player = Player(worlds=6)
    for known in positions(3, 40):
        made = player.decide(known)
        assert made.choice in known.legal_cards()
        assert made.seat == known.turn
        assert [c.value for c in made.candidates] == sorted(
            [c.value for c in made.candidates], reverse=True
        )
        record = json.loads(json.dumps(made.to_dict()))
        assert {"choice", "candidates", "samples", "seed"} <= record.keys()
        assert {"action", "value", "stderr", "why"} <= record["candidates"][0].keys()


def test_the_same_seed_gives_the_same_record() -> None:
    for known in positions(4, 15):
        one, two = (Player(worlds=10, seed=7).decide(known) for _ in range(2))
        assert one == two


def test_hidden_cards_change_nothing() -> None:
    """The same view of another deal gives the same decision."""
    player = Player(worlds=8)
    known = view(DEAL, "3NTS", "S4 SJ S3 S5")
    made = player.decide(known)
    east, west = "A73.J97.AT764.Q4", "T9842.AQ4.32.KJ3"
    deal = DEAL.with_hand("E", "-").with_hand("W", west).with_hand("E", east)
    other = view(deal, "3NTS", "S4 SJ S3 S5")
    assert Player(worlds=8).decide(other) == made


def test_worlds_are_kept_from_move_to_move() -> None:
    player = Player(worlds=12)
    play = Play(DEAL, "NT", "W", "S4 SJ S3 S5")
    board = Board(deal=DEAL, contract="3NTS")
    drawn = []
    while len(play.cards) < 24:
        if play.turn.side == Seat.SOUTH.side:
            player.decide(Knowledge.of_board(replace(board, play=play)))
            drawn.append(player._tables[Seat.SOUTH].pool.draws)
        play = play.with_card(play.legal_cards()[-1])
    assert len(drawn) >= 5
    assert drawn[-1] < len(drawn)


def test_one_group_of_equals_is_played_at_once() -> None:
    made = Player().decide(view("N:A3... K4... QJ... T9...", "1NTS", "ST SA S4"))
    assert (str(made.choice), made.samples, made.is_exact) == ("SJ", 0, True)


def test_a_card_on_the_table_parts_cards_that_were_neighbours() -> None:
    """The ten is led: the ace wins it, the nine does not, though no other spade is left."""
    known = view("N:2.2.. 3..2. A9... T..3.", "1NTS", "ST S2 S3")
    assert str(Player(worlds=4).decide(known).choice) == "SA"


def test_cards_played_without_a_search_are_equal_double_dummy() -> None:
    rng, forced = Random(5), 0
    for _ in range(400):
        play = random_position(rng, rng.randint(2, 6))
        if not play.cards:
            continue
        contract = Contract(1, play.strain, play.leader.next_by(3))
        known = Knowledge.of_board(Board(deal=play.deal, contract=contract, play=play))
        made = Player(worlds=2, method="monte_carlo", infer=False, limit_mb=8).decide(known)
        if made.method == "forced" and len(known.legal_cards()) > 1:
            n, e, s, w = (play.remaining[seat].bits for seat in Seat)
            ask = DoubleDummy(known.strain, known.declarer.side)
            trick = [16 * card.suit + card.rank for card in known.trick]
            assert len(set(ask.cards((n, e, s, w), known.leader, trick).values())) == 1
            forced += 1
    assert forced > 5


def test_the_lead_from_a_solid_suit() -> None:
    made = Player(worlds=24, goal="tricks").decide(
        "KQJT9.32.A32.432", contract="3NTS", seat="W", vul="none"
    )
    assert str(made.choice) == "SK"
    assert made.method == "halving"


def test_time_ends_the_search_with_an_answer() -> None:
    known = view(DEAL, "3NTS", "S4")
    made = Player(seconds=0.05, worlds=2000).decide(known)
    assert made.choice in known.legal_cards()
    assert 0 < made.samples < 500


def test_any_number_of_worlds_will_do() -> None:
    """The search takes only so many at once; the others are left out, not refused."""
    known = view(DEAL, "3NTS", "S4 SJ S3 S5 H2 H7 H8 HQ S2 SQ S7 SK C2 C3 C8 C4 H5 H9 HT HA")
    for method in ("strategy", "monte_carlo"):
        made = Player(seconds=20, worlds=900, method=method, infer=False).decide(known)
        assert made.choice in known.legal_cards()


def test_a_set_flag_stops() -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        Player(stop=flag).decide(view(DEAL, "3NTS", "S4"))


def test_the_action_table_is_pbn() -> None:
    made = Player(worlds=4).decide(view(DEAL, "3NTS", "S4"))
    game = next(iter(PbnDocument.from_text('[Board "1"]\n')))
    text = made.add_to(game).text
    assert '[ActionTable "Rank;Card;Percentage"]' in text
    assert f"1 {made.choice} 100" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"goal": "glory"}, "not a goal: 'glory' (expected imps, make, matchpoints, tricks)"),
        ({"method": "magic"}, "not a method: 'magic' (expected strategy, monte_carlo)"),
        ({"seconds": 0}, "not a time: 0 s"),
        ({"worlds": 0}, "not a number of worlds: 0"),
        ({"signals": "loud"}, "not an agreement: 'loud'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Player(**options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_the_wrong_turn_is_refused() -> None:
    known = Knowledge(seat="S", contract="3NTS", hand=DEAL["S"], dummy=DEAL["N"], played="S4 SJ")
    with pytest.raises(InvalidInput, match="East's turn"):
        Player().decide(known)


def test_contradictory_meanings_are_one_line() -> None:
    with pytest.raises(InvalidInput, match="no layout fits"):
        Player().play(
            DEAL["S"],
            dummy=DEAL["N"],
            contract="3NTS",
            seat="S",
            played="S4 SJ S3",
            meanings={"W": "hcp 10+", "E": "hcp 12+"},
        )


def test_meanings_are_kept_to() -> None:
    player = Player(worlds=10, infer=False)
    player.play(
        DEAL["S"],
        dummy=DEAL["N"],
        contract="3NTS",
        seat="S",
        played="S4 SJ S3",
        meanings={"W": "hcp 11+, spades 5+"},
    )
    for layout in player._tables[Seat.SOUTH].pool.layouts:
        hand = Hand(layout[Seat.WEST])
        assert hand.hcp >= 11 and hand.length("S") >= 5


@pytest.mark.parametrize("name", GOALS)
def test_more_tricks_are_never_worth_less(name: str) -> None:
    for contract in ("3NTS", "4SXN", "7CXXW", "1DE"):
        assert (np.diff(Goal(name, contract, True).table) > 0).all()


def test_equal_cards_are_those_with_nothing_between() -> None:
    assert equal_classes(0b1010, 0b0001) == [[3, 1]]
    assert equal_classes(0b1010, 0b0101) == [[3], [1]]


def test_an_average_is_weighted() -> None:
    table = CardTable((Card("SA"), Card("S2")), np.array([[9, 8], [7, 9]]), np.array([0.75, 0.25]))
    goal = Goal("tricks", "3NTS")
    assert average(table, goal.own_table(is_declarer=True)).values.tolist() == [8.5, 8.25]
    assert goal.own_table(is_declarer=False)[4] == -9


def test_halving_spends_worlds_on_the_best() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=400)
    worth = [0.0, 0.5, 1.0, 0.9]
    tried = halve(4, 400, lambda candidate, world: worth[candidate] + noise[world])
    assert len(tried[2]) == 400
    assert len(tried[0]) < 100
