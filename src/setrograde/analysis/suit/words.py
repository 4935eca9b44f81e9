"""Lines in words: "Lead low from South to the queen (if West plays the king, play the ace)." """

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from setrograde.common.stop import StopFlag, check_stop

from .game import SuitGame, SuitState
from .lines import SuitLine
from .play import SuitSolution
from .ranks import format_ranks, iter_ranks

__all__ = ["RARE", "describe_line"]

RARE = Fraction(1, 40)
"""Cases that come up in a smaller share of deals are left out of the words."""

_HANDS = ("North", "South")
_DEFENDERS = ("West", "East")
_NAMES = {8: "ten", 9: "jack", 10: "queen", 11: "king", 12: "ace"}
_SPOTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_EIGHT, _TEN = 6, 8
_FROM_THE_TOP = "play from the top"


def describe_line(
    solution: SuitSolution,
    line: SuitLine | None,
    *,
    rare: Fraction = RARE,
    stop: StopFlag | None = None,
) -> str:
    """A line in words, a sentence for each trick; what depends on the cards seen is indented.

    Cases that come up in less than `rare` of all deals are left out; with 0 every case is told. A
    `StopFlag` given as `stop` ends the work with `Stopped`.

    >>> from setrograde.analysis.suit import find_line, solve_suit
    >>> solution = solve_suit("AQ", "32")
    >>> print(describe_line(solution, find_line(solution, solution.best())))
    Lead low from South to the queen (if West plays the king, play the ace), then play from the top.
    """
    text = _Words(solution.game, rare, stop).trick(line)
    return "\n".join(_lines(text))


@dataclass(frozen=True)
class _Text:
    """A sentence, and what follows under which conditions."""

    sentence: str
    branches: tuple[tuple[str, _Text], ...] = ()


def _lines(text: _Text, indent: str = "", before: str = "") -> Iterable[str]:
    sentence = before + text.sentence if before else text.sentence[:1].upper() + text.sentence[1:]
    if len(text.branches) == 1 and not text.branches[0][0]:
        rest = text.branches[0][1]
        if not rest.branches:
            yield f"{indent}{sentence}, then {rest.sentence}."
            return
        yield f"{indent}{sentence}."
        yield from _lines(rest, indent)
        return
    yield f"{indent}{sentence}{':' if text.branches else '.'}"
    for condition, rest in text.branches:
        yield from _lines(rest, indent + "  ", f"{condition}: ")


class _Words:
    def __init__(self, game: SuitGame, rare: Fraction, stop: StopFlag | None) -> None:
        self.game = game
        self.stop = stop
        self.rare = rare * game.table.total
        self.known: dict[int, _Text] = {}

    def trick(self, lead: SuitLine | None) -> _Text:
        if lead is None:
            return _Text("stop")
        if lead.is_plain:
            return _Text(_FROM_THE_TOP)
        if id(lead) not in self.known:
            self.known[id(lead)] = _Text(self.sentence(lead), self.branches(lead))
        return self.known[id(lead)]

    # What declarer plays.

    def sentence(self, lead: SuitLine) -> str:
        runs = [run for run in lead.follow if run is not None]
        usual_run = runs[-1] if runs else None
        usual = lead.follow[usual_run].card
        partner = 1 - lead.hand
        led = f"the {_card_name(lead.card)}"
        what = "low" if self.is_low(lead.state, lead.hand, lead.card) else led
        if usual is None or self.is_low(lead.state, partner, usual):
            if what == "low":
                text = f"duck: play low from {_HANDS[lead.hand]} and low opposite"
            elif self.is_top(lead.state, lead.card):
                text = f"cash {led} ({_HANDS[lead.hand]})"
            else:
                text = f"lead {led} from {_HANDS[lead.hand]} and let it run"
        else:
            answer = f"the {_card_name(usual)}"
            is_constant = len({follow.card for follow in lead.follow.values()}) == 1
            if is_constant and usual > lead.card and self.is_top(lead.state, usual):
                opposite = "" if what == "low" else f", playing {led} from {_HANDS[lead.hand]}"
                text = f"cash {answer} ({_HANDS[partner]}){opposite}"
            else:
                text = f"lead {what} from {_HANDS[lead.hand]} to {answer}"
        exceptions = self.exceptions(lead, usual_run)
        return f"{text} ({exceptions})" if exceptions else text

    def exceptions(self, lead: SuitLine, usual_run: int | None) -> str:
        """Other cards to play if the next defender does something else."""
        usual, partner = lead.follow[usual_run].card, 1 - lead.hand
        by_card: dict[int, list[str]] = {}
        for run, follow in lead.follow.items():
            if follow.card is not None and follow.card != usual:
                by_card.setdefault(follow.card, []).append(self.act(run))
        parts = []
        for card, events in by_card.items():
            is_low = self.is_low(lead.state, partner, card)
            answer = "low" if is_low else f"the {_card_name(card)}"
            who = _DEFENDERS[1 - lead.hand]
            parts.append(f"if {who} {_either(events)}, play {answer}")
        return "; ".join(parts)

    # What depends on the defenders.

    def branches(self, lead: SuitLine) -> tuple[tuple[str, _Text], ...]:
        check_stop(self.stop)
        groups: dict[_Text, list[tuple[int | None, int | None]]] = {}
        weights: dict[_Text, int] = {}
        layouts = self.game.consistent(lead.state)
        for first in self.game.replies(lead.state, 1 - lead.hand, layouts):
            follow = lead.follow[first.run]
            for last in self.game.replies(first.state, lead.hand, first.layouts):
                weight = self.weight(last.layouts)
                if weight < self.rare:
                    continue
                text = self.trick(follow.then[last.run])
                groups.setdefault(text, []).append((first.run, last.run))
                weights[text] = weights.get(text, 0) + weight
        if not groups:
            return ()
        if len(groups) == 1:
            return (("", next(iter(groups))),)
        usual = max(groups, key=lambda text: weights[text])
        pairs = [pair for group in groups.values() for pair in group]
        found = [
            (f"if {self.condition(lead, group, pairs)}", text)
            for text, group in sorted(groups.items(), key=lambda item: -weights[item[0]])
            if text is not usual
        ]
        return (*found, ("otherwise", usual))

    def weight(self, layouts: int) -> int:
        return sum(
            layout.weight for i, layout in enumerate(self.game.table.layouts) if layouts >> i & 1
        )

    def condition(
        self,
        lead: SuitLine,
        group: Sequence[tuple[int | None, int | None]],
        pairs: Sequence[tuple[int | None, int | None]],
    ) -> str:
        """When the pairs of cards in `group` come up, said as shortly as possible."""
        seats = (1 - lead.hand, lead.hand)
        left, parts = list(group), list[str]()
        for place in (1, 0):
            for run in dict.fromkeys(pair[place] for pair in left):
                same = [pair for pair in pairs if pair[place] == run]
                if all(pair in left for pair in same):
                    parts.append(self.event(seats[place], run))
                    left = [pair for pair in left if pair not in same]
        for first, last in left:
            one = self.event(seats[0], first)
            two = self.event(seats[1], last)
            parts.append(f"{one} and {two}")
        return _either(parts)

    def event(self, defender: int, run: int | None) -> str:
        return f"{_DEFENDERS[defender]} {self.act(run)}"

    def act(self, run: int | None) -> str:
        return "shows out" if run is None else f"plays {self.run_name(run)}"

    def run_name(self, run: int) -> str:
        cards = list(iter_ranks(self.game.table.runs[run]))
        is_lowest = run == len(self.game.table.runs) - 1
        if is_lowest and (len(cards) > 2 or cards[0] < 8):
            return "low"
        names = [f"the {_card_name(card)}" for card in cards]
        return (
            _either(names)
            if len(names) < 3
            else f"one of {format_ranks(self.game.table.runs[run])}"
        )

    # Declarer's cards.

    def is_low(self, state: SuitState, hand: int, card: int) -> bool:
        """True for the lowest card of a hand, if it is not one that may win a trick."""
        west, east = state.played
        lowest = (state.own[hand] & -state.own[hand]).bit_length() - 1
        beats = any(
            run < 1 << card and west[i] + east[i] < run.bit_count()
            for i, run in enumerate(self.game.table.runs)
        )
        is_spot = card < _EIGHT or (card < _TEN and not beats)
        return card == lowest and is_spot and not self.is_top(state, card)

    def is_top(self, state: SuitState, card: int) -> bool:
        west, east = state.played
        return not any(
            run > 1 << card and west[i] + east[i] < run.bit_count()
            for i, run in enumerate(self.game.table.runs)
        )


def _card_name(rank: int) -> str:
    return _NAMES.get(rank) or _SPOTS[rank]


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]
