"""Laws of dealer scripts: many deals at once as one by one, counted conditions as tested ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_scripts import expressions
from oracle.dealer import evaluate
from property.strategies import deals
from setrograde.analysis.deal import run_script
from setrograde.analysis.deal.script.batch import Batch
from setrograde.analysis.deal.script.counted import Counting
from setrograde.analysis.deal.script.evaluation import Evaluator
from setrograde.bridge import Deal
from setrograde.errors import InvalidInput
from setrograde.formats.dealer import parse_dealer

full_deals = st.lists(deals(), min_size=1, max_size=5)


def batch_of(found: list[Deal]) -> Batch:
    return Batch(np.array([[hand.bits for hand in deal] for deal in found], np.uint64))


@settings(max_examples=150)
@given(expressions(), full_deals)
def test_many_deals_at_once_give_what_one_by_one_gives(text: str, found: list[Deal]) -> None:
    script = parse_dealer(f"altcount 7 2 0 0 -1 pointcount 5 3 2 1 condition {text}")
    assert script.condition is not None
    values = Evaluator(script).value(script.condition, batch_of(found)).tolist()
    assert values == [evaluate(script.condition, deal, script) for deal in found]


@settings(max_examples=150)
@given(expressions(st.just("south")), full_deals)
def test_counted_conditions_say_what_the_script_says(text: str, found: list[Deal]) -> None:
    script = parse_dealer(f"condition {text}")
    counted, tested = Counting(Evaluator(script)).split(script.condition)
    assert script.condition is not None
    for deal in found:
        right = all(part.condition.allows(deal["S"]) for part in counted)
        right = right and all(evaluate(each, deal, script) for each in tested)
        assert right == bool(evaluate(script.condition, deal, script))


@settings(max_examples=40)
@given(expressions(st.sampled_from(["north", "south"])), expressions())
def test_any_script_gives_deals_that_fit_or_one_clear_line(condition: str, value: str) -> None:
    text = f"condition {condition} action average {value}, frequency ({value}, -3, 3)"
    try:
        result = run_script(text, count=5, generate=3000, seed=1)
    except InvalidInput as error:
        message = str(error)
    else:
        message = result.note or ""
        script = result.script
        assert script.condition is not None
        assert all(evaluate(script.condition, deal, script) for deal in result.deals)
        assert result.produced == 5 or message
    assert "\n" not in message
