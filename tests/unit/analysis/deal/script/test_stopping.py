"""Scripts that would run long are stopped at once."""

from __future__ import annotations

import pytest

from setrograde.analysis.deal import run_script
from stopped_work import assert_stops


@pytest.mark.parametrize(
    "text",
    [
        "generate 2000000000 condition hcp(north) > hcp(south) + 50",
        "generate 2000000000 level hcp(north) > hcp(south) condition hcp(east) > hcp(west) + 50",
        "hcp(north) > hcp(south) action average tricks(north, spades)",
        "produce 100000000 action average hcp(north)",
    ],
)
def test_scripts_stop(text: str) -> None:
    assert_stops(lambda flag: run_script(text, seed=1, stop=flag))
