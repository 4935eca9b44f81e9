"""Lines in words: "Lead low from South to the queen (if West plays the king, play the ace)." """

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill
from typing import TypeVar

from setrograde.common.stop import StopFlag, check_stop

from .game import SuitGame, SuitState
from .lines import SuitLine
from .play import SuitSolution
from .plays import name_of_card, trick_of
from .ranks import format_ranks, iter_ranks

__all__ = ["RARE", "describe_line"]

RARE = Fraction(1, 40)
"""Cases that come up in a smaller share of deals are left out of the words."""

_HANDS = ("North", "South")
_DEFENDERS = ("West", "East")
_EIGHT, _TEN = 6, 8
_FROM_THE_TOP = "play from the top"
_MOST_CONDITIONS = 3  # at one place of a line; the rest is "otherwise"
_CUT = "(Some rarer cases are left out.)"
_Pair = tuple[int | None, int | None]
_Case = TypeVar("_Case")


def describe_line(
    solution: SuitSolution,
    line: SuitLine | None,
    *,
    rare: Fraction = RARE,
    width: int | None = None,
    stop: StopFlag | None = None,
) -> str:
    """A line in words, a sentence for each trick; what depends on the cards seen is a nested list.

    A list has at most three conditions, the rest is "otherwise". Cases that come up in less than
    `rare` of all deals are left out; with 0 every case is told, whatever the number of conditions.
    Lines of text are wrapped to `width`, if it is given. A `StopFlag` given as `stop` ends the work
    with `Stopped`.

    >>> from setrograde.analysis.suit import find_line, solve_suit
    >>> solution = solve_suit("AQ", "32")
    >>> print(describe_line(solution, find_line(solution, solution.best())))
    Lead low from South to the queen (if West plays the king, play the ace), then play from the top.
    """
    words = _Words(solution.game, rare, stop)
    rows = list(_rows(words.trick(line)))
    if words.is_cut:
        rows.append(("", "", _CUT))
    return "\n".join([_wrapped(*row, width) for row in rows])


@dataclass(frozen=True)
class _Text:
    """A sentence, and what follows under which conditions."""

    sentence: str
    branches: tuple[tuple[str, _Text], ...] = ()


def _rows(text: _Text, indent: str = "", condition: str = "") -> Iterator[tuple[str, str, str]]:
    """Lines of text: the indent, the bullet, and the words."""
    bullet = "- " if condition else ""
    sentence = text.sentence
    if condition:
        sentence = f"{condition}: {sentence}" if sentence else condition
    else:
        sentence = sentence[:1].upper() + sentence[1:]
    if len(text.branches) == 1 and not text.branches[0][0]:
        rest = text.branches[0][1]
        if not rest.branches:
            yield indent, bullet, f"{sentence}, then {rest.sentence}."
            return
        yield indent, bullet, f"{sentence}."
        yield from _rows(rest, indent + " " * len(bullet))
        return
    yield indent, bullet, f"{sentence}{':' if text.branches else '.'}"
    for case, rest in text.branches:
        yield from _rows(rest, indent + " " * len(bullet), case)


def _wrapped(indent: str, bullet: str, words: str, width: int | None) -> str:
    if width is None:
        return indent + bullet + words
    return fill(
        words,
        width,
        initial_indent=indent + bullet,
        subsequent_indent=indent + " " * len(bullet),
        break_on_hyphens=False,
    )


class _Words:
    def __init__(self, game: SuitGame, rare: Fraction, stop: StopFlag | None) -> None:
        self.game = game
        self.stop = stop
        self.rare = rare * game.table.total
        self.known: dict[int, _Text] = {}
        self.is_cut = False

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
        led = f"the {name_of_card(lead.card)}"
        what = "low" if self.is_low(lead.state, lead.hand, lead.card) else led
        if usual is None or self.is_low(lead.state, partner, usual):
            if what == "low":
                text = f"duck: play low from {_HANDS[lead.hand]} and low opposite"
            elif self.is_top(lead.state, lead.card):
                text = f"cash {led} ({_HANDS[lead.hand]})"
            else:
                text = f"lead {led} from {_HANDS[lead.hand]} and let it run"
        else:
            answer = f"the {name_of_card(usual)}"
            is_constant = len({follow.card for follow in lead.follow.values()}) == 1
            if is_constant and usual > lead.card and self.is_top(lead.state, usual):
                opposite = "" if what == "low" else f", playing {led} from {_HANDS[lead.hand]}"
                text = f"cash {answer} ({_HANDS[partner]}){opposite}"
            else:
                text = f"lead {what} from {_HANDS[lead.hand]} to {answer}"
        exceptions = self.exceptions(lead, usual_run)
        if exceptions:
            text += f" ({exceptions})"
        trick = trick_of(self.game, lead)
        is_marked = trick.is_finesse and trick.is_marked(self.game.consistent(lead.state))
        return f"{text}, a marked finesse" if is_marked else text

    def exceptions(self, lead: SuitLine, usual_run: int | None) -> str:
        """Other cards to play if the next defender does something else."""
        usual, partner = lead.follow[usual_run].card, 1 - lead.hand
        by_card: dict[int, list[int | None]] = {}
        for run, follow in lead.follow.items():
            if follow.card is not None and follow.card != usual:
                by_card.setdefault(follow.card, []).append(run)
        parts = []
        for card, events in by_card.items():
            is_low = self.is_low(lead.state, partner, card)
            answer = "low" if is_low else f"the {name_of_card(card)}"
            who = _DEFENDERS[1 - lead.hand]
            parts.append(f"if {who} {self.acts(events)}, play {answer}")
        return "; ".join(parts)

    # What depends on the defenders.

    def branches(self, lead: SuitLine) -> tuple[tuple[str, _Text], ...]:
        check_stop(self.stop)
        cases: dict[_Pair, _Text] = {}
        weights: dict[_Pair, int] = {}
        layouts = self.game.consistent(lead.state)
        for first in self.game.replies(lead.state, 1 - lead.hand, layouts):
            follow = lead.follow[first.run]
            for last in self.game.replies(first.state, lead.hand, first.layouts):
                weight = self.weight(last.layouts)
                if weight >= self.rare:
                    cases[first.run, last.run] = self.trick(follow.then[last.run])
                    weights[first.run, last.run] = weight
        texts = set(cases.values())
        if not self.rare or len(texts) <= _MOST_CONDITIONS + 1:
            return self.flat(lead, cases, weights)
        return self.nested(lead, cases, weights)

    def flat(
        self, lead: SuitLine, cases: Mapping[_Pair, _Text], weights: Mapping[_Pair, int]
    ) -> tuple[tuple[str, _Text], ...]:
        """A list of cases, the likeliest as "otherwise"."""
        groups: dict[_Text, list[_Pair]] = {}
        for pair, text in cases.items():
            groups.setdefault(text, []).append(pair)
        if not groups:
            return ()
        if len(groups) == 1:
            return (("", next(iter(groups))),)
        order = sorted(
            groups, key=lambda text: sum(weights[pair] for pair in groups[text]), reverse=True
        )
        found = [
            (f"if {self.condition(lead, groups[text], list(cases))}", text)
            for text in self.likely(order[1:])
        ]
        return (*found, ("otherwise", order[0]))

    def nested(
        self, lead: SuitLine, cases: Mapping[_Pair, _Text], weights: Mapping[_Pair, int]
    ) -> tuple[tuple[str, _Text], ...]:
        """Cases by the card of the next defender, then by that of the last one."""
        firsts = dict.fromkeys(first for first, _ in cases)
        heavy = {
            first: sum(weights[pair] for pair in cases if pair[0] == first) for first in firsts
        }
        groups: list[tuple[list[int | None], dict[int | None, _Text]]] = []
        for first in sorted(firsts, key=lambda run: heavy[run], reverse=True):
            answers = {last: text for (run, last), text in cases.items() if run == first}
            for members, known in groups:
                if all(known.get(last, text) == text for last, text in answers.items()):
                    members.append(first)
                    known.update(answers)
                    break
            else:
                groups.append(([first], answers))
        groups.sort(key=lambda group: sum(heavy[first] for first in group[0]), reverse=True)

        def told(members: Sequence[int | None], known: Mapping[int | None, _Text]) -> _Text:
            branches = self.flat(
                lead,
                {(None, last): text for last, text in known.items()},
                {
                    (None, last): sum(weights.get((first, last), 0) for first in members)
                    for last in known
                },
            )
            return branches[0][1] if len(branches) == 1 else _Text("", branches)

        who = 1 - lead.hand
        found = [
            (f"if {_DEFENDERS[who]} {self.acts(members)}", told(*group))
            for group in self.likely(groups[1:])
            for members in [group[0]]
        ]
        if not found:
            return (("", told(*groups[0])),)
        return (*found, ("otherwise", told(*groups[0])))

    def likely(self, cases: Sequence[_Case]) -> Sequence[_Case]:
        """As many conditions as may stand in one list."""
        if self.rare and len(cases) > _MOST_CONDITIONS:
            self.is_cut = True
            return cases[:_MOST_CONDITIONS]
        return cases

    def weight(self, layouts: int) -> int:
        return sum(
            layout.weight for i, layout in enumerate(self.game.table.layouts) if layouts >> i & 1
        )

    def condition(
        self,
        lead: SuitLine,
        group: Sequence[_Pair],
        pairs: Sequence[_Pair],
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
        for firsts, lasts in _products(left, pairs):
            parts.append(self.both(seats, firsts, lasts))
        return "; or ".join(parts) if any("," in part for part in parts) else _either(parts)

    def both(
        self,
        seats: tuple[int, int],
        firsts: Sequence[int | None],
        lasts: Sequence[int | None],
    ) -> str:
        """One of these cards from the next defender, and one of those from the last."""
        one, two = self.acts(firsts), self.acts(lasts)
        if one == two == "plays low":
            return "both play low"
        if one.startswith("plays ") and two.startswith("plays "):
            two = two.removeprefix("plays ")
        return f"{_DEFENDERS[seats[0]]} {one} and {_DEFENDERS[seats[1]]} {two}"

    def acts(self, runs: Sequence[int | None]) -> str:
        """Any of several things that a defender may do."""
        names = [self.run_name(run) for run in runs if run is not None]
        parts = [f"plays {_either(names)}"] if names else []
        return " or ".join([*parts, *(["shows out"] if None in runs else [])])

    def event(self, defender: int, run: int | None) -> str:
        return f"{_DEFENDERS[defender]} {self.act(run)}"

    def act(self, run: int | None) -> str:
        return "shows out" if run is None else f"plays {self.run_name(run)}"

    def run_name(self, run: int) -> str:
        cards = list(iter_ranks(self.game.table.runs[run]))
        is_lowest = run == len(self.game.table.runs) - 1
        if is_lowest and (len(cards) > 2 or cards[0] < 8):
            return "low"
        names = [f"the {name_of_card(card)}" for card in cards]
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


def _products(
    group: Sequence[_Pair], pairs: Sequence[_Pair]
) -> list[tuple[list[int | None], list[int | None]]]:
    """The group as a few products "one of these, then one of those"; other pairs cannot be."""
    found: list[tuple[list[int | None], list[int | None]]] = []
    for first in dict.fromkeys(one for one, _ in group):
        mine = [two for one, two in group if one == first]
        for firsts, lasts in found:
            more = [*lasts, *(two for two in mine if two not in lasts)]
            whole = [(one, two) for one in (*firsts, first) for two in more]
            if all(pair in group for pair in whole if pair in pairs):
                firsts.append(first)
                lasts[:] = more
                break
        else:
            found.append(([first], mine))
    return found


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]
