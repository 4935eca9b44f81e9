"""A line in words: short sentences, and conditions where the defenders' cards make a difference."""

from __future__ import annotations

from dataclasses import replace

from setrograde.bridge import Card, Seat

from .policy import EASY, FORCED, LOST, MADE, OPEN, Branch, Fork, Step
from .result import LineStep

__all__ = ["describe"]

_MOST_CONDITIONS = 3

_ENDS = {
    MADE: "the tricks are there",
    LOST: "the tricks needed are gone",
    EASY: "nothing is left to guess",
    OPEN: "go on as the cards fall",
    FORCED: "the rest plays itself",
}

Sentences = tuple[list[str], tuple[LineStep, ...]]


def describe(line: Step | Fork | str, levels: int = 2) -> LineStep | None:
    """The line in words; `None` if it ends at once. Conditions have conditions up to `levels`.

    >>> from setrograde.bridge import Card
    >>> leads = Step(Seat.SOUTH, Card.from_text("S2"), True, False, MADE)
    >>> print(describe(leads))
    South leads the ♠2: the tricks are there.
    """
    if isinstance(line, str):
        return None
    sentences, then = _told(line, levels)
    if not sentences:
        return LineStep("It depends on the next card:", then)
    return LineStep(_joined(sentences), then)


def _told(line: Step | Fork | str, levels: int) -> Sentences:
    """Sentences up to the first condition, and the conditions."""
    if isinstance(line, str):
        return [], ()
    if isinstance(line, Fork):
        return _fork(line, levels)
    words = f"{_name(line.seat)} {'leads' if line.leads else 'plays'} the {line.card.pretty}"
    then = line.then
    same = _same_card(then) if line.leads and isinstance(then, Fork) else None
    if same is not None:
        card, then = same
        words += f" to the {card.pretty}"
    if isinstance(then, str):
        return [words if then is OPEN else f"{words}: {_ENDS[then]}"], ()
    sentences, later = _told(then, levels)
    if not sentences and not later:
        end = _end(then)
        return [words if end is OPEN else f"{words}: {_ENDS[end]}"], ()
    return [words, *sentences], later


def _end(line: Step | Fork | str) -> str:
    """How it ends, by way of what happens most often."""
    while not isinstance(line, str):
        line = line.then if isinstance(line, Step) else line.branches[0].then
    return line


def _same_card(fork: Fork) -> tuple[Card, Fork] | None:
    """Partner's card to the trick if it does not depend on the defender's, and what follows."""
    later: list[Branch] = []
    cards: set[Card] = set()
    for branch in fork.branches:
        if not isinstance(branch.then, Step) or branch.then.leads:
            return None
        cards.add(branch.then.card)
        later.append(replace(branch, then=branch.then.then))
    return (cards.pop(), replace(fork, branches=tuple(later))) if len(cards) == 1 else None


def _fork(fork: Fork, levels: int) -> Sentences:
    groups: dict[str, list[Branch]] = {}
    for branch in fork.branches:
        groups.setdefault(_signature(branch.then, levels), []).append(branch)
    if len(groups) == 1:
        return _told(fork.branches[0].then, levels)
    if not levels:
        return ["The rest depends on the cards that fall"], ()
    ordered = sorted(groups.values(), key=lambda group: sum(branch.share for branch in group))
    *special, usual = ordered[-_MOST_CONDITIONS - 1 :]
    name = _name(fork.seat)
    steps = [_condition(f"If {name} {_does(fork, group)}", group, levels) for group in special]
    steps.append(_condition("Otherwise", usual, levels))
    return [], tuple(steps)


def _condition(words: str, group: list[Branch], levels: int) -> LineStep:
    then = group[0].then
    if isinstance(then, str):
        return LineStep(f"{words}: {_ENDS[then]}.")
    sentences, later = _told(then, levels - 1)
    if not sentences:
        return LineStep(f"{words}:", later) if later else LineStep(f"{words}: {_ENDS[_end(then)]}.")
    return LineStep(f"{words}: {_joined(sentences)}", later)


def _joined(sentences: list[str]) -> str:
    return f"{'. '.join(sentences)}."


def _signature(line: Step | Fork | str, levels: int) -> str:
    """What is told of it; lines that are told alike are one."""
    return line if isinstance(line, str) else str(describe(line, levels))


def _does(fork: Fork, group: list[Branch]) -> str:
    """What the defender does: "plays the ♠K", "plays low or shows out"."""
    verb = "leads" if fork.suit is None else "plays"
    follows = [branch for branch in group if fork.suit in (None, branch.cards[0].suit)]
    parts = []
    if follows:
        names = " or ".join(_cards(branch) for branch in follows)
        parts.append(f"{verb} {names}")
    if len(follows) < len(group):
        others = [branch for branch in group if branch not in follows]
        away = [b for b in fork.branches if fork.suit not in (None, b.cards[0].suit)]
        if len(others) == len(away):
            parts.append("shows out")
        else:
            parts.append(f"throws {' or '.join(_cards(branch) for branch in others)}")
    return " or ".join(parts)


def _cards(branch: Branch) -> str:
    cards = branch.cards
    if branch.is_lowest and len(cards) > 2:
        return f"a low {cards[0].suit.name.lower()[:-1]}"
    if len(cards) > 3:
        return f"a {cards[0].suit.name.lower()[:-1]} from the {cards[0].pretty} down"
    return " or ".join(f"the {card.pretty}" for card in cards)


def _name(seat: Seat) -> str:
    return seat.name.title()
