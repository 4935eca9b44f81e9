"""Named lines: the finesses and the drop, each as a line of the suit game with its exact outcomes.

A named line is a plan for the first tricks: cash some top cards, then finesse. The finesse is left
out once it can no longer work, because the card was dropped or is known to lie with the other
defender. The classes of cards, and with them the finesse, are formed anew after each trick. After
the plan declarer plays as well as he can, which may mean to finesse again. So the difference
between a named line and the best line is what its plan costs, and nothing else.

The drop plays from the top. Once a defender shows out the place of every card is known, and the
drop goes on as well as it can: it takes a finesse that is marked.

The outcomes are found as for all lines: of two cards of a defender the minimum counts, of two cards
of declarer's both outcomes are kept. In suits with too many lines declarer plays on as well as he
can where that is quickly found, and otherwise repeats the finesse and then plays from the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from setrograde.bridge import Seat
from setrograde.common.stop import StopFlag, check_stop

from .fronts import Fronts
from .game import SuitReply, SuitState
from .lines import Follow, LineFinder, SuitLine
from .play import LineOutcome, SuitSolution
from .plays import CASH, Play, Trick, iter_plays, name_of_card, names_of_cards, trick_of

__all__ = ["NamedLine", "find_named_lines", "low_tricks", "worth"]

_MOST_CASHED = 3
_WORK, _FEW = 20_000, 12  # in suits with too many lines: for a front, and outcomes of it
_ORDER = ("simple", "double", "deep", "high card", "indirect", "backward", "unsupported")
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times", "six times")


@dataclass(frozen=True)
class NamedLine:
    """A finesse or the drop: its plan, its name, and what lines that follow the plan can win.

    >>> from setrograde.analysis.suit import solve_suit
    >>> lines = find_named_lines(solve_suit("AKJ32", "7654"), need=5)
    >>> for line in lines:
    ...     print(f"{line.name}: {float(line.probability(5)):.4f}")
    drop: 0.5313
    simple finesse of the jack, ace first: 0.5143
    simple finesse of the jack: 0.4522
    """

    solution: SuitSolution
    """The suit."""

    plan: tuple[Play, ...]
    """The cards to be cashed, then the finesse; empty for the drop."""

    trick: Trick | None
    """The finesse as it stands when the cards are cashed and nothing happened; `None` for the
    drop."""

    is_two_way: bool
    """True if the same card can be finessed through the other defender as well."""

    outcomes: tuple[LineOutcome, ...]
    """Undominated outcomes of lines that follow the plan."""

    need: int | None = None
    """The number of tricks it is played for; `None` for the most on average."""

    is_complete: bool = True
    """False if, in a suit with too many lines, play after the plan may not be the best."""

    _plans: _Plans | None = field(default=None, repr=False, compare=False)

    @property
    def is_finesse(self) -> bool:
        """True for a finesse, false for the drop."""
        return self.trick is not None

    @property
    def kind(self) -> str:
        """`drop` or the kind of finesse."""
        return "drop" if self.trick is None else self.trick.kind

    @property
    def leader(self) -> Seat | None:
        """The hand that leads for the finesse; `None` for the drop."""
        return None if self.trick is None else self.trick.play.leader

    @property
    def onside(self) -> Seat | None:
        """The defender who is finessed; `None` for the drop."""
        return None if self.trick is None else self.trick.play.onside

    @cached_property
    def outcome(self) -> LineOutcome:
        """The outcome most likely to win the tricks needed, or the one with the best average."""
        return self.best(need=self.need)

    def best(self, *, need: int | None = None) -> LineOutcome:
        """The outcome of the plan when it is played for `need` tricks, or for the average."""
        return max(self.outcomes, key=lambda outcome: worth(outcome, need))

    def probability(self, need: int) -> Fraction:
        """The best chance of `need` tricks with this plan."""
        return self.best(need=need).probability(need)

    @property
    def average(self) -> Fraction:
        """The most tricks on average with this plan."""
        return self.best().average

    @cached_property
    def line(self) -> SuitLine | None:
        """The line itself, card by card; it wins the tricks of `outcome`."""
        plans = _Plans(self.solution, None) if self._plans is None else self._plans
        return plans.line(self.plan, self.outcome)

    @cached_property
    def times(self) -> int:
        """How often the line finesses in the same direction while both defenders play low."""
        count = 0
        for trick in low_tricks(self):
            is_same = self.trick is not None and trick.play.hand == self.trick.play.hand
            if trick.is_finesse and is_same:
                count += 1
            elif count:
                break
        return count

    @property
    def is_marked(self) -> bool:
        """True if the finesse is known to work before a card is played."""
        return self.trick is not None and self.trick.is_marked(self.solution.game.all_layouts)

    @property
    def name(self) -> str:
        """The line as players call it."""
        if self.trick is None:
            return "drop"
        first = [name_of_card(play.card) for play in self.plan[:-1]]
        card = name_of_card(self.plan[-1].card)
        words = [
            *(["two-way"] if self.is_two_way else []),
            *(["marked"] if self.is_marked else []),
            *(["repeated"] if self.times > 1 and self.kind != "double" else []),
            self.kind.replace(" ", "-"),
        ]
        finesse = f"{' '.join(words)} finesse of the {card}"
        if self.is_two_way:
            finesse += f" through {self.trick.play.onside.name.title()}"
        return f"{finesse}, {_and(first)} first" if first else finesse

    @property
    def words(self) -> str:
        """What to do, in a sentence or two."""
        if self.trick is None:
            return "Play from the top; once a defender shows out, take a finesse that is marked."
        play = self.trick.play
        target = names_of_cards(self.trick.target_bits)
        hand, onside = play.leader.name.title(), play.onside.name.title()
        first = [f"Cash the {name_of_card(play.card)}." for play in self.plan[:-1]]
        card = name_of_card(play.card)
        if play.is_led:
            lead = f"ead the {card} from {hand} and let it run"
        else:
            lead = f"ead low from {hand} to the {card}"
        if not first:
            text = f"L{lead}"
        elif " and " in target:
            text = f"Then l{lead}"
        else:
            text = f"Unless the {target} appears, l{lead}"
        if self.trick.caught_bits:
            text += f"; if {onside} plays the {_either(target)}, beat it"
        else:
            text += f"; if {onside} plays the {_either(target)}, play low"
        if self.times > 1:
            text += f". Finesse up to {_NUMBERS[min(self.times, 6)]}"
        return " ".join([*first, f"{text}."])


def find_named_lines(
    solution: SuitSolution, *, need: int | None = None, stop: StopFlag | None = None
) -> tuple[NamedLine, ...]:
    """Every finesse of a suit, at once or after cashing, and the drop: the best first.

    They are compared by the chance of `need` tricks, or by the average. Of lines that are worth the
    same for every goal the plainest is kept. A `StopFlag` given as `stop` ends the work with
    `Stopped`.
    """
    plans = _Plans(solution, stop)
    found = [NamedLine(solution, (), None, False, plans.outcomes(()), need, _plans=plans)]
    tricks = plans.finesses()
    for plan, trick in tricks:
        check_stop(stop)
        found.append(
            NamedLine(
                solution,
                plan,
                trick,
                any(_are_two_ways(trick, other) for _, other in tricks),
                plans.outcomes(plan),
                need,
                solution.is_complete,
                plans,
            )
        )
    return _without_twins(sorted(found, key=_plainness), need, solution.holding.tricks_most)


def _are_two_ways(one: Trick, other: Trick) -> bool:
    """True if two finesses catch the same card, one through each defender."""
    kinds = ("simple", "high card", "backward")
    return (
        one.play.hand != other.play.hand
        and one.kind in kinds
        and other.kind in kinds
        and one.caught_bits == other.caught_bits
    )


def _plainness(line: NamedLine) -> tuple[int, int, int]:
    if line.trick is None:
        return 0, 0, 0
    return len(line.plan), _ORDER.index(line.kind), -line.trick.play.card


def _without_twins(
    lines: Iterable[NamedLine], need: int | None, most: int
) -> tuple[NamedLine, ...]:
    seen = set[tuple[object, ...]]()
    kept = list[NamedLine]()
    for line in lines:
        values = (line.average, *(line.probability(n) for n in range(1, most + 1)))
        side = None if line.trick is None else (line.onside, line.trick.target_bits)
        if (side, values) not in seen:
            seen.add((side, values))
            kept.append(line)
    return tuple(sorted(kept, key=lambda line: worth(line.outcome, need), reverse=True))


def worth(outcome: LineOutcome, need: int | None) -> tuple[Fraction, Fraction]:
    """What an outcome is worth for a number of tricks, or on average; among equals, the average."""
    return outcome.average if need is None else outcome.probability(need), outcome.average


def low_tricks(line: NamedLine) -> Iterator[Trick]:
    """The tricks of a line while both defenders play low, until it goes on from the top.

    >>> from setrograde.analysis.suit import solve_suit
    >>> line = find_named_lines(solve_suit("AQJ", "432"))[0]
    >>> [(trick.kind, name_of_card(trick.play.card)) for trick in low_tricks(line)]
    [('simple', 'queen'), ('simple', 'jack')]
    """
    rest = line.line
    while rest is not None and not rest.is_plain:
        yield trick_of(line.solution.game, rest)
        follow = rest.follow[max(_seen(rest.follow), default=None)]
        rest = follow.then[max(_seen(follow.then), default=None)]


class _Plans:
    """Outcomes and lines of plans: cash, cash, finesse, then the best."""

    def __init__(self, solution: SuitSolution, stop: StopFlag | None) -> None:
        self.solution = solution
        self.game = solution.game
        self.stop = stop
        self.fronts = Fronts(self.game, stop, most=None if solution.is_complete else _FEW)
        self.finder = LineFinder(self.game, is_complete=solution.is_complete, stop=stop)
        self.known: dict[tuple[SuitState, _Plan], tuple[int, ...]] = {}

    def finesses(self) -> list[tuple[tuple[Play, ...], Trick]]:
        """Every finesse that can be taken at once, or after some cards are cashed."""
        found = dict[tuple[Play, ...], Trick]()
        for plan, state in self.cashes(self.game.start):
            layouts = self.game.consistent(state)
            for play in iter_plays(self.game, state):
                trick = Trick(self.game, state, play)
                if trick.is_finesse and trick.may_work(layouts):
                    found[(*plan, play)] = trick
        return list(found.items())

    def cashes(self, state: SuitState) -> Iterator[tuple[tuple[Play, ...], SuitState]]:
        """Ways to cash up to three top cards, and the state if the defenders play low to them."""
        yield (), state
        plans: list[tuple[tuple[Play, ...], SuitState]] = [((), state)]
        for _ in range(_MOST_CASHED):
            longer = list[tuple[tuple[Play, ...], SuitState]]()
            for plan, before in plans:
                cards = dict[int, Play]()
                for play in iter_plays(self.game, before):
                    if play.is_led and Trick(self.game, before, play).kind == CASH:
                        cards.setdefault(play.hand, play)
                for play in cards.values():
                    after = self.after_low(before, play)
                    if after is not None:
                        longer.append(((*plan, play), after))
            yield from longer
            plans = longer

    def after_low(self, state: SuitState, play: Play) -> SuitState | None:
        """The state after a cash to which everybody plays his lowest card."""
        game = self.game
        follow = self.finder.lowest_follow(state, play.hand)
        replies = game.replies(state, 1 - play.hand, game.consistent(state))
        firsts = [reply for reply in replies if reply.run is not None]
        if not firsts:
            return None
        ends = [
            after
            for last, after, _ in game.trick_ends(firsts[-1], play.hand, play.card, follow)
            if last.run is not None
        ]
        return ends[-1] if ends else None

    def outcomes(self, plan: tuple[Play, ...]) -> tuple[LineOutcome, ...]:
        """What lines with a plan can win; the drop has none."""
        game = self.game
        first = _Plan(plan) if plan else _DROP
        return tuple(
            LineOutcome(game.table, game.tricks(outcome))
            for outcome in self.front(game.start, first)
        )

    def front(self, state: SuitState, plan: _Plan) -> tuple[int, ...]:
        """Undominated outcomes of lines that follow the plan from here."""
        place = (state, plan)
        if place not in self.known:
            self.known[place] = self._front(state, plan)
        return self.known[place]

    def _front(self, state: SuitState, plan: _Plan) -> tuple[int, ...]:
        game, layouts = self.game, self.game.consistent(state)
        play = self.next_play(state, plan, layouts)
        if play is None:
            return self.best(state)
        if plan.is_again:
            found = self.quick(state)
            if found is not None:
                return found
        found = ()
        for led in self.leads(state, play):
            front: tuple[int, ...] = (game.spread(layouts),)
            for first in game.replies(state, 1 - play.hand, layouts):
                answers: tuple[int, ...] = ()
                for follow in self.answers(state, play, first):
                    later: tuple[int, ...] = (game.spread(first.layouts),)
                    for last, after, won in game.trick_ends(first, play.hand, led, follow):
                        then = self.front(after, self.rest(plan))
                        later = self.fronts.minima(later, then, last.layouts, won=won)
                    answers = self.fronts.undominated((*answers, *later))
                front = self.fronts.minima(front, answers, first.layouts, won=False)
            found = self.fronts.undominated((*found, *front))
        return found

    def best(self, state: SuitState) -> tuple[int, ...]:
        """What the best play wins from here; in suits with too many lines, if quickly found."""
        if self.solution.is_complete or any(state.is_void):
            return self.game.front(state, stop=self.stop)
        found = self.quick(state)
        return (self.finder.value_from_the_top(state),) if found is None else found

    def quick(self, state: SuitState) -> tuple[int, ...] | None:
        found = self.game.front_within(state, _WORK, stop=self.stop)
        return None if found is None or len(found) > _FEW else found

    def rest(self, plan: _Plan) -> _Plan:
        """The plan after a trick; in suits with too many lines the finesse is repeated."""
        if plan.is_drop or plan.is_again:
            return plan
        if len(plan.plays) == 1 and not self.solution.is_complete:
            return _Plan(plan.plays, is_again=True)
        return _Plan(plan.plays[1:])

    def next_play(self, state: SuitState, plan: _Plan, layouts: int) -> Play | None:
        """What the plan plays now; `None` if it is over or its finesse can no longer work."""
        if plan.is_drop:
            top = None if any(state.is_void) else self.finder.top_card(state)
            return None if top is None else Play(*top, is_led=True)
        if not plan.plays or not all(self.is_held(state, play) for play in plan.plays):
            return None
        last = Trick(self.game, state, plan.plays[-1])
        is_possible = last.is_finesse and last.may_work(layouts)
        play = plan.plays[0]
        return play if is_possible and any(True for _ in self.leads(state, play)) else None

    def is_held(self, state: SuitState, play: Play) -> bool:
        return bool(state.own[play.hand if play.is_led else 1 - play.hand] >> play.card & 1)

    def leads(self, state: SuitState, play: Play) -> Iterator[int]:
        """Cards that may be led for a play."""
        for hand, card in self.game.leads(state):
            is_same = self._is_same(state, play, card)
            is_right = is_same if play.is_led else card < play.card and not is_same
            if hand == play.hand and is_right:
                yield card

    def answers(self, state: SuitState, play: Play, first: SuitReply) -> list[int | None]:
        """Cards of the hand opposite: the one of the play to a lower card, else any."""
        cards = list(self.game.followers(state, play.hand))
        runs = self.game.table.runs
        if first.run is None or runs[first.run] > 1 << play.card:
            return cards
        if play.is_led:
            return [card for card in cards if card is None or card < play.card] or cards
        return [card for card in cards if card is not None and self._is_same(state, play, card)]

    def _is_same(self, state: SuitState, play: Play, card: int) -> bool:
        return bool(Trick(self.game, state, play).finesse_bits >> card & 1)

    # Lines.

    def line(self, plan: tuple[Play, ...], outcome: LineOutcome) -> SuitLine | None:
        """A line that follows a plan and wins an outcome of it."""
        game = self.game
        first = _Plan(plan) if plan else _DROP
        return self._line(game.start, first, game.all_layouts, game.outcome(outcome.tricks))

    def _line(self, state: SuitState, plan: _Plan, layouts: int, wanted: int) -> SuitLine | None:
        play = self.next_play(state, plan, self.game.consistent(state))
        if play is None or (plan.is_again and self.quick(state) is not None):
            return self.finder.lead(state, layouts, wanted)
        is_plain = not wanted & ~self.finder.value_from_the_top(state)
        if plan.is_drop and is_plain:
            return self.finder.from_the_top(state, wanted)
        wanted = max(
            (found for found in self.front(state, plan) if not wanted & ~found),
            key=self.finder.weight,
        )
        found = []
        for led in self.leads(state, play):
            cards = self._answers(state, plan, play, layouts, wanted, led)
            if cards is not None:
                found.append((len({card for _, card in cards}), led, cards))
        assert found, "an outcome of a plan has a line"
        _, led, cards = min(found, key=lambda option: option[:2])
        follow = {
            first.run: Follow(
                card,
                {
                    last.run: self._line(after, self.rest(plan), last.layouts, want)
                    for last, after, want in self.finder.tricks(first, wanted, play.hand, led, card)
                },
            )
            for first, card in cards
        }
        return SuitLine(play.hand, led, follow, state, wanted, False)

    def _answers(
        self, state: SuitState, plan: _Plan, play: Play, layouts: int, wanted: int, led: int
    ) -> list[tuple[SuitReply, int | None]] | None:
        options = []
        for first in self.game.replies(state, 1 - play.hand, layouts):
            good = [
                card
                for card in self.answers(state, play, first)
                if all(
                    any(not want & ~found for found in self.front(after, self.rest(plan)))
                    for _, after, want in self.finder.tricks(first, wanted, play.hand, led, card)
                )
            ]
            if not good:
                return None
            options.append((first, good))
        return self.finder.choose(options)


@dataclass(frozen=True, slots=True)
class _Plan:
    plays: tuple[Play, ...]
    is_again: bool = False
    is_drop: bool = False


_DROP = _Plan((), is_drop=True)


def _seen(runs: Iterable[int | None]) -> list[int]:
    return [run for run in runs if run is not None]


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _either(names: str) -> str:
    return names.replace(" and ", " or ")
