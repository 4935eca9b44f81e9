"""The dealer language: what is read, and what is said about mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealer_scripts import SCRIPTS
from setrograde.bridge import Hand, Seat, Strain, Suit, Vulnerability
from setrograde.formats.dealer import (
    format_dealer,
    format_expression,
    parse_dealer,
    parse_expression,
)
from setrograde.formats.dealer import syntax as s
from setrograde.formats.dealer.expressions import BINDING
from setrograde.formats.dealer.words import ACTIONS, COUNTS, FUNCTIONS, STATEMENTS, SUITS
from setrograde.formats.problems import FormatError


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_is_the_same_after_writing_and_reading(path: Path) -> None:
    script = parse_dealer(path.read_text("utf-8"))
    text = format_dealer(script)
    assert parse_dealer(text) == script
    assert format_dealer(parse_dealer(text)) == text


def test_scripts_together_use_every_word_of_the_language() -> None:
    assert len(SCRIPTS) >= 20
    text = " ".join([path.read_text("utf-8") for path in SCRIPTS])
    bare = re.sub(r'"[^"]*"|#[^\n]*|//[^\n]*|/\*.*?\*/', " ", text.lower(), flags=re.DOTALL)
    used = set(re.findall(r"[a-z]\w*", bare))
    assert set(COUNTS.values()) <= {name for word, name in COUNTS.items() if word in used}
    assert set(Suit) <= {suit for word, suit in SUITS.items() if word in used}
    pairs = ({"trick", "tricks"}, {"imp", "imps"})  # one thing each
    others = FUNCTIONS - set(COUNTS) - set(SUITS) - set.union(*pairs)
    assert {*ACTIONS, *STATEMENTS, *others, "level", "seed"} <= used
    assert all(pair & used for pair in pairs)
    for sign in (*sum(BINDING, ()), "and", "or", "!", "not", "?", ":"):
        assert sign in text


def test_operators_bind_as_in_c() -> None:
    def shown(text: str) -> str:
        return format_expression(parse_expression(text))

    assert shown("1 + 2 * 3 - 4") == "1 + 2 * 3 - 4"
    assert parse_expression("1 - 2 - 3") == parse_expression("(1 - 2) - 3")
    assert parse_expression("1 || 2 && 3") == parse_expression("1 || (2 && 3)")
    assert parse_expression("1 < 2 == 3 > 4") == parse_expression("(1 < 2) == (3 > 4)")
    assert parse_expression("not 1 == 2") == parse_expression("(!1) == 2")
    assert parse_expression("1 ? 2 : 3 ? 4 : 5") == parse_expression("1 ? 2 : (3 ? 4 : 5)")
    assert shown("1 - (2 - 3)") == "1 - (2 - 3)"
    assert shown("(1 ? 2 : 3) ? 4 : 5") == "(1 ? 2 : 3) ? 4 : 5"


def test_the_three_kinds_of_comments_are_passed_over() -> None:
    text = "# one\nhcp(north) // two ) \n /* three \n (((*/ > 5 # four"
    assert parse_dealer(text).condition == parse_expression("hcp(north) > 5")


def test_the_last_condition_holds() -> None:
    assert parse_dealer("condition 1 condition 0").condition == s.Number(0)


def test_statements_of_every_kind() -> None:
    script = parse_dealer(
        "generate 5 produce 4 seed 3 vulnerable ns dealer south pointcount 4, 3 -1"
        " altcount 9 1 1 level = 3 condition level"
    )
    assert (script.generate, script.produce, script.seed) == (5, 4, 3)
    assert (script.vulnerability, script.dealer) == (Vulnerability.NS, Seat.SOUTH)
    assert (script.pointcount, script.altcounts) == ((4, 3, -1), {9: (1, 1)})
    assert script.level is None  # here it is a name


def test_predeal_has_cards_x_and_lengths() -> None:
    script = parse_dealer("predeal north SAKxx, H2 south,C5 spades(west)==0 hcp(east) > 3")
    first, second, third, fourth = script.predeal
    assert (first.seat, first.cards) == (Seat.NORTH, Hand("AK..."))
    assert first.lengths == (None, None, None, 4)
    assert second.lengths == (None, None, None, None)
    assert (third.seat, third.cards) == (Seat.SOUTH, Hand("...5"))
    assert (fourth.seat, fourth.lengths[3]) == (Seat.WEST, 0)
    assert script.condition is not None


def test_a_condition_behind_predeal_is_no_length() -> None:
    script = parse_dealer("predeal north SA spades(west)==0 && hcp(east) > 3")
    assert len(script.predeal) == 1 and script.condition is not None


def test_contracts_may_be_doubled() -> None:
    score = parse_expression("score(vul, x3Nx, 9)")
    assert score == s.Score(True, 3, Strain.NOTRUMP, 1, s.Number(9))


def test_list_of_printes_ends_at_the_next_action() -> None:
    actions = parse_dealer('action printes "a", 3, \\n, printall').actions
    assert actions == (s.PrintExpressions(("a", s.Number(3), "\n")), s.Print("printall"))
    both = parse_dealer('action printes ("a", 3), average 1').actions
    assert both[0] == s.PrintExpressions(("a", s.Number(3)))
    first = parse_dealer("action printes (1 + 2) * 3, \\n").actions
    assert first == (s.PrintExpressions((parse_expression("(1 + 2) * 3"), "\n")),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hcp(north) >", "1:13: no expression: found 'the end of the script'"),
        ("hcp(north > 5", "1:11: a sign is missing: found '>', expected ')'"),
        ("\nhpc(north) > 5", "2:1: not a function: found 'hpc'"),
        ("condition strong", "1:11: a name that is not defined before: found 'strong'"),
        ("hcp = 3", "1:1: a reserved word as a name: found 'hcp'"),
        ("a = 1 a = 2", "1:7: a name defined twice"),
        ("shape(north, 5432)", "1:14: a shape that has not 13 cards: found '5432'"),
        ("shape(north, 54)", "1:14: not a shape: found '54', expected four lengths"),
        ("hascard(east, 1C)", "1:15: not a card: found '1C'"),
        ("tricks(east, nt)", "1:14: not a strain: found 'nt'"),
        ("score(vul, 3N, 9)", "1:12: not a contract: found '3N', expected an x"),
        ("quality(north)", "1:14: quality of no suit"),
        ("predeal north SA south SA", "1:24: a card dealt twice"),
        ("predeal north SAKQJT98765432, HA", "1:31: more than 13 cards"),
        ("predeal north", "1:14: not a holding"),
        ("action printal", "1:8: not an action: found 'printal', expected one of printall"),
        ("action frequency (hcp(north), 5, 4)", "1:34: not an upper bound: found '4'"),
        ("vulnerable maybe", "1:12: not a vulnerability: found 'maybe', expected none, NS"),
        ("altcount 10 1", "1:10: not the number of an alternate count"),
        ("produce many", "1:9: no number after 'produce': found 'many'"),
        ("hcp(north) = 5", "1:12: not a statement: found '='"),
        ("1 /* and so on", "1:3: a comment without an end"),
        ('action printes "a', "1:16: a string without an end"),
        ("hcp(north) & 5", "1:12: not a sign of this language: found '&'"),
        ("99999999999", "1:1: too large a number"),
        ("(" * 200 + "1", "too many brackets"),
        ("1" + " + 1" * 300, "too long an expression"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_dealer(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
