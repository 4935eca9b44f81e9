"""The best line: its chance, its cards, and what the answer says of itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from setrograde.analysis.line import best_line
from setrograde.analysis.line.question import LineQuestion
from setrograde.bridge import Hand, InvalidPlay
from setrograde.common.stop import StopFlag, Stopped
from setrograde.errors import InvalidInput


def test_finesse_is_an_even_chance() -> None:
    found = best_line("AQ...", "32...", "NT", hidden="KJT9...", leader="S", need=2)
    assert found.probability == found.double_dummy == Fraction(1, 2)
    assert found.exact and not found.sampled
    assert str(found.card) == "S2"


def test_blind_line_is_worth_less_than_seeing_all_cards() -> None:
    found = best_line("AJ9...", "432...", "NT", hidden="KQT876...", leader="S", need=2)
    assert (found.probability, found.double_dummy) == (Fraction(1, 5), Fraction(7, 20))


def test_throw_in_leaves_no_guess() -> None:
    found = best_line(
        "T.3.AJ2.", "9.4.KT3.", "S", hidden=".AKQJT.Q9876.", leader="S", need=4, seconds=60
    )
    assert found.probability == 1
    assert str(found.card) == "H4"
    assert found.line is not None and found.line.text.startswith("South leads the ♥4")


def test_what_is_known_makes_a_throw_in_sure() -> None:
    asked = {"hidden": "KJT98.A..", "leader": "N", "need": 2}
    found = best_line("32.5..", "AQ.4..", "NT", west="has HA", **asked)  # type: ignore[arg-type]
    assert (found.probability, str(found.card)) == (1, "H5")
    found = best_line("32.5..", "AQ.4..", "NT", **asked)  # type: ignore[arg-type]
    assert found.probability is not None and found.probability < 1


def test_defender_on_turn_leaves_no_card_to_choose() -> None:
    found = best_line("AQ...", "32...", "NT", "S", hidden="KJT9...", need=2)
    assert found.card is None and not found.candidates
    assert found.question.state.turn.name == "WEST"


def test_equal_cards_played_count_half() -> None:
    """Restricted choice: with queen and jack East plays the queen half of the time."""
    asked = LineQuestion.of(
        "AKT9...",
        "5432...",
        "NT",
        hidden="QJ876.432..",
        leader="S",
        need=4,
        played="S2 S6 SA SQ",
    )
    worlds = asked.worlds(4096, seed=0)
    jack = np.uint64(Hand("J...").bits)
    by_jack = {
        bool(cards & jack): weight
        for cards, weight in zip(worlds.cards, worlds.weights, strict=True)
        if not cards & np.uint64(Hand("87...").bits)
    }
    assert by_jack[False] == 2 * by_jack[True]


def test_sample_says_that_it_is_one() -> None:
    found = best_line(
        "AKQ2.T98.A76.K54",
        "876.765.KQJ.QJT9",
        contract="1NTS",
        lead="S3",
        west="hcp 5-10",
        samples=4,
        seconds=3,
    )
    assert found.sampled and not found.exact and found.probability is None
    low, high = found.bounds
    assert 0 <= low <= high <= found.double_dummy
    assert "drawn at random" in str(found)


def test_limit_on_layouts_gives_bounds() -> None:
    asked = {"hidden": "KQT876...", "leader": "S", "need": 2}
    found = best_line("AJ9...", "432...", "NT", limit_layouts=10, samples=8, **asked)  # type: ignore[arg-type]
    assert not found.exact and found.searched <= 8 < found.layouts == 20


def test_json_has_the_keys_that_were_promised() -> None:
    found = best_line("AQ...", "32...", "NT", hidden="KJT9...", leader="S", need=2).to_dict()
    assert {"probability", "bounds", "exact", "layouts", "line"} <= set(found)
    assert found["line"]["text"].startswith("South leads")
    assert found["line"]["then"][0]["text"].startswith("If West plays the ♠K")


@pytest.mark.parametrize(
    ("options", "kind", "why"),
    [
        ({}, InvalidInput, "no declarer and no leader"),
        ({"leader": "S", "need": 3}, InvalidInput, "not a number of tricks: 3"),
        ({"leader": "S"}, InvalidInput, "no number of tricks"),
        ({"contract": "1NTE", "need": 2}, InvalidInput, "East declares"),
        ({"leader": "S", "need": 2, "played": "SA"}, InvalidPlay, "does not hold it"),
        ({"leader": "S", "need": 2, "seconds": 0}, InvalidInput, "not a number of seconds"),
        ({"leader": "S", "need": 2, "samples": 0}, InvalidInput, "samples: 0"),
        ({"leader": "S", "need": 2, "lead": "S2", "played": "S2"}, InvalidInput, "both lead"),
    ],
)
def test_bad_questions_are_refused(
    options: dict[str, object], kind: type[Exception], why: str
) -> None:
    strain = None if "contract" in options else "NT"
    with pytest.raises(kind, match=why):
        best_line("AQ...", "32...", strain, hidden="KJT9...", **options)  # type: ignore[arg-type]


def test_flag_stops_the_work() -> None:
    stop = StopFlag()
    stop.set()
    with pytest.raises(Stopped):
        best_line("AQ...", "32...", "NT", hidden="KJT9...", leader="S", need=2, stop=stop)
