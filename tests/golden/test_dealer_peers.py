"""Conditions of dealer scripts compared with endplay's interpreter on the same deals."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random as Rng
from typing import Any

import numpy as np
import pytest

from dealer_scripts import SCRIPTS
from oracle.dealer import evaluate
from setrograde.analysis.deal import run_script
from setrograde.analysis.deal.script import AverageResult
from setrograde.analysis.deal.script.actions import action_expressions
from setrograde.analysis.deal.script.batch import Batch
from setrograde.analysis.deal.script.evaluation import Evaluator
from setrograde.bridge import Deal
from setrograde.formats.dealer import Script, format_expression, parse_dealer
from setrograde.formats.dealer.syntax import Expression, Random, Tricks
from support import random_deal

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # inside the peer

EXPRESSIONS = [
    "hcp(north) >= 12 and hcp(north, spades) > 3",
    "shape(east, any 4333 + any 4432 + any 5332 - 5xxx - x5xx)",
    "shape(west, any 5xxx - xx5x + 6xxx)",
    "spades(north) + spades(south) >= 8 && !(hearts(north) > 3)",
    "tens(south) * 2 + jacks(south) - queens(south, hearts) >= kings(south)",
    "aces(west) == 1 || top2(west, clubs) == 2 || top3(west) > 4",
    "top4(north, diamonds) != top5(north, diamonds) && c13(north) > 12",
    "pt0(east) + pt4(east) * pt9(east, spades) % 3 > 2",
    "controls(south) >= 4 and controls(south, spades) < 3",
    "losers(north) <= 7 && losers(north, hearts) == 1",
    "hascard(east, TC) or not hascard(west, AS)",
    "diamonds(north) > hearts(north) ? hcp(east) > 10 : hcp(west) > 10",
    "(hcp(north) > 10) + (hcp(south) > 10) == 1",
]


@pytest.fixture(scope="module")
def peer() -> Any:
    return pytest.importorskip("endplay.dealer.constraint").ConstraintInterpreter()


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    rng = Rng("dealer peers")
    return [random_deal(rng) for _ in range(500)]


@pytest.fixture(scope="module")
def their_deals(deals: list[Deal]) -> list[Any]:
    types = pytest.importorskip("endplay.types")
    return [types.Deal(deal.to_pbn()) for deal in deals]


def ours(text: str, deals: list[Deal]) -> list[bool]:
    script = parse_dealer(f"condition {text}")
    assert script.condition is not None
    rows = np.array([[hand.bits for hand in deal] for deal in deals], np.uint64)
    found: list[bool] = Evaluator(script).truth(script.condition, Batch(rows)).tolist()
    return found


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_condition_holds_on_the_same_deals(
    text: str, peer: Any, deals: list[Deal], their_deals: list[Any]
) -> None:
    tree = peer.parse(text)
    theirs = [bool(peer.evaluate(tree, deal)) for deal in their_deals]
    assert ours(text, deals) == theirs
    assert 0 < sum(theirs) < len(theirs)  # a condition that tells nothing would prove nothing


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_of_our_own_mean_the_same(path: Path, deals: list[Deal]) -> None:
    """Conditions and the expressions of actions, by the peer where it can and by the oracle."""
    constraint = pytest.importorskip("endplay.dealer.constraint")
    script = parse_dealer(path.read_text("utf-8"))
    interpreter = constraint.ConstraintInterpreter()
    evaluator = Evaluator(script)
    some = [*run_script(path, seed=1).deals[:30], *deals[:120]]
    rows = np.array([[hand.bits for hand in deal] for deal in some], np.uint64)
    compared = 0
    for expression in expressions_of(script):
        if any(isinstance(leaf, Random | Tricks) for leaf in evaluator.leaves(expression)):
            continue  # no function of the deal; and tricks have a test of their own
        values = evaluator.value(expression, Batch(rows)).tolist()
        theirs = None if script.pointcount else _by_peer(interpreter, expression, script, some)
        compared += theirs is not None
        assert values == (theirs or [evaluate(expression, deal, script) for deal in some])
    assert bool(compared) == (path.stem not in ORACLE_ONLY)


ORACLE_ONLY = ("04_counts", "07_kaplan_rubens")
"""Scripts of which the peer reckons nothing as the dealer program does."""


def expressions_of(script: Script) -> list[Expression]:
    found = [] if script.condition is None else [script.condition]
    for action in script.actions:
        found += action_expressions(action)
    return found


def _by_peer(
    interpreter: Any, expression: Expression, script: Script, deals: list[Deal]
) -> list[int] | None:
    """What the peer says, or nothing if it cannot read or reckon that."""
    types = pytest.importorskip("endplay.types")
    text = format_expression(expression)
    for name, meaning in reversed(script.definitions.items()):
        text = re.sub(
            rf"\b{name}\b", lambda _, m=meaning: f"({format_expression(m.expression)})", text
        )
    if "cccc" in text or "quality" in text:
        return None  # in other units
    try:
        tree = interpreter.parse(text)
        return [int(interpreter.evaluate(tree, types.Deal(deal.to_pbn()))) for deal in deals]
    except Exception:
        return None


def test_double_dummy_tricks_are_the_same(
    peer: Any, deals: list[Deal], their_deals: list[Any]
) -> None:
    for text in ("tricks(north, spades) >= 7", "tricks(east, notrump) >= 7"):
        tree = peer.parse(text)
        theirs = [bool(peer.evaluate(tree, deal.copy())) for deal in their_deals[:10]]
        assert ours(text, deals[:10]) == theirs


def test_statistics_agree_within_their_errors() -> None:
    dealer = pytest.importorskip("endplay.dealer")
    condition = "hcp(north) >= 12 && spades(north) >= 5"
    found = list(dealer.generate_deals(condition, produce=150, seed=1, max_attempts=-1))
    evaluate = pytest.importorskip("endplay.evaluate")
    theirs = [evaluate.hcp(deal.north) for deal in found]
    result = run_script(f"condition {condition} action average hcp(north)", count=20_000, seed=1)
    (average,) = result.statistics
    assert isinstance(average, AverageResult) and average.mean is not None
    assert abs(np.mean(theirs) - average.mean) < 4 * np.std(theirs) / 150**0.5
