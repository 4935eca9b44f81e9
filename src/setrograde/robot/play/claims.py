"""Claims: the tricks that one strategy takes in every layout that fits.

A claim is a proof. All layouts are looked at one by one, and the search goes to the last card; no
layout is sampled, merged or left out. Where there are too many layouts, nothing is claimed.

>>> from setrograde.bridge import Board
>>> from setrograde.robot.knowledge import Knowledge
>>> board = Board(deal="N:AKQ..2. JT9..3. 432..A. 876..4.", contract="1NTS", play="D4 D2 D3 DA")
>>> print(find_claim(Knowledge.of_board(board)))
South can claim all 4 tricks: a strategy takes them in each of the 20 layouts.
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde.bridge import Seat
from setrograde.common.stop import StopFlag
from setrograde.robot.knowledge import Knowledge
from setrograde.solve import strategy

from .strategy import play_state

__all__ = ["Claim", "find_claim"]

_MOST_LAYOUTS = 4096


@dataclass(frozen=True, slots=True)
class Claim:
    """The most tricks that can be proved for the player's side."""

    seat: Seat
    """The player who claims."""

    tricks: int | None
    """Tricks of his side in the whole deal, won ones included; `None` if nothing is proved."""

    total: int
    """Tricks of the whole deal."""

    won: int
    """Tricks his side has won already."""

    layouts: int | None
    """The number of layouts, all looked at; `None` if they are too many."""

    @property
    def is_for_all(self) -> bool:
        """True if every trick still to come is claimed."""
        left = self.total - self.won
        return self.tricks is not None and self.tricks - self.won == left

    def __str__(self) -> str:
        who = self.seat.name.title()
        if self.tricks is None:
            if self.layouts is None:
                return f"{who} claims nothing: more than {_MOST_LAYOUTS} layouts fit."
            return f"{who} claims nothing: the search was ended before a proof was found."
        if self.is_for_all and self.won == 0:
            what = f"all {self.total} tricks"
        else:
            plural = "" if self.tricks == 1 else "s"
            what = f"{self.tricks} trick{plural} of {self.total}, {self.won} of them already won"
        if self.is_for_all:
            what = f"all {self.total} tricks" if self.tricks == self.total else what
        each = "the only layout" if self.layouts == 1 else f"each of the {self.layouts} layouts"
        return f"{who} can claim {what}: a strategy takes them in {each}."

    def to_dict(self) -> dict[str, object]:
        """The claim as JSON has it."""
        return {
            "choice": self.tricks,
            "seat": self.seat.letter,
            "candidates": []
            if self.tricks is None
            else [{"action": self.tricks, "value": 1.0, "stderr": 0.0, "why": str(self)}],
            "samples": self.layouts,
            "seed": None,
            "won": self.won,
            "total": self.total,
            "all": self.is_for_all,
        }


def find_claim(
    known: Knowledge,
    *,
    search: strategy.StrategySearch | None = None,
    work: int = 20_000_000,
    seconds: float | None = None,
    stop: StopFlag | None = None,
) -> Claim:
    """The most tricks that one strategy takes in every layout, whoever is on turn."""
    state = play_state(known)
    won, left = state.won, state.tricks_left
    nothing = Claim(known.seat, None, known.total_tricks, won, None)
    try:
        layouts = strategy.all_layouts(
            state, strategy.Known(voids=known.voids), limit=_MOST_LAYOUTS
        )
    except strategy.TooManyLayouts:
        return nothing
    search = strategy.StrategySearch() if search is None else search
    for tricks in range(won + left, won, -1):
        if search.claim(state, layouts, tricks, work_limit=work, seconds=seconds, stop=stop):
            return Claim(known.seat, tricks, known.total_tricks, won, len(layouts))
    return Claim(known.seat, won, known.total_tricks, won, len(layouts))
