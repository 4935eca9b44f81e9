"""What is asked of a deal: conditions by seat, in the words of the user.

A hand may be told as a constraint (`hcp 15-17, balanced`), as cards (`AK32.Q54.KQ2.J76`), as a
pattern with `x` for any other card (`AKxx.Qxx.xx+.+`), or as several of these, which all must hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from setrograde.bridge import (
    Hand,
    HandConstraint,
    HandPattern,
    InvalidConstraint,
    InvalidInput,
    Range,
    Suit,
)
from setrograde.common.stop import StopFlag

from .measures import HandCondition
from .sampler import DealSampler

__all__ = ["Asked", "HandAsked", "Part", "read_asked"]

_Single: TypeAlias = "HandConstraint | HandCondition | HandPattern | Hand | str"
HandAsked: TypeAlias = "_Single | Sequence[_Single] | None"
"""What may be asked of a hand: one of the forms above, or several."""


@dataclass(frozen=True, slots=True)
class Part:
    """One condition on one hand, or on two hands together, with its text.

    >>> part = Part("N", "hcp 15-17", HandConstraint.from_text("hcp 15-17"))
    >>> str(part)
    'N: hcp 15-17'
    """

    seats: str
    """The seat, or the seats of hands that are seen as one, like `NS`."""

    text: str
    """The condition in words."""

    condition: HandConstraint | HandCondition
    """The condition itself."""

    def __str__(self) -> str:
        return f"{self.seats}: {self.text}"


@dataclass(frozen=True, slots=True)
class Asked:
    """All conditions on the hands, one by one.

    >>> asked = read_asked({"N": "hcp 15-17, balanced", "S": "AKxx.x+.+.+"})
    >>> print(*asked.parts, sep="; ")
    N: hcp 15-17; N: balanced; S: has SA SK; S: spades 4; S: hearts 1+
    """

    parts: tuple[Part, ...] = field(default=())
    """The conditions."""

    def sampler(self, *, stop: StopFlag | None = None) -> DealSampler:
        """A sampler of the deals that meet all conditions.

        >>> read_asked({"N": "has SA"}).sampler().probability
        Fraction(1, 4)
        """
        hands: dict[str, list[HandConstraint | HandCondition]] = {}
        pairs: dict[str, list[HandConstraint | HandCondition]] = {}
        for part in self.parts:
            asked = hands if len(part.seats) == 1 else pairs
            asked.setdefault(part.seats, []).append(part.condition)
        return DealSampler(constraints=hands, together=pairs, stop=stop)

    def without(self, left_out: Iterable[Part]) -> Asked:
        """The same with some conditions left out."""
        gone = set(map(id, left_out))
        return Asked(tuple([part for part in self.parts if id(part) not in gone]))

    def conflict(self, *, stop: StopFlag | None = None) -> tuple[Part, ...]:
        """Conditions that no deal meets together, and none of which can be spared for that.

        >>> asked = read_asked({"N": "hcp 21+, balanced", "S": "hcp 20+"})
        >>> print(*asked.conflict(), sep="; ")
        N: hcp 21+; S: hcp 20+

        Empty if some deal meets all of them.
        """
        if self.sampler(stop=stop).is_possible:
            return ()
        left = self
        for part in self.parts:
            fewer = left.without([part])
            if not fewer.sampler(stop=stop).is_possible:
                left = fewer
        return left.parts

    def check(self, *, stop: StopFlag | None = None) -> DealSampler:
        """A sampler of the deals asked for; if there are none, an `InvalidConstraint` says why.

        >>> read_asked({"N": "hcp 21+, balanced", "S": "hcp 20+"}).check()
        Traceback (most recent call last):
        ...
        setrograde.bridge.constraints.InvalidConstraint: no deal fits 'N: hcp 21+' and \
'S: hcp 20+' (expected conditions that one deal can meet)
        """
        sampler = self.sampler(stop=stop)
        if sampler.is_possible:
            return sampler
        names = [f"'{part}'" for part in self.conflict(stop=stop)]
        text = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        raise InvalidConstraint(f"no deal fits {text} (expected conditions that one deal can meet)")


def read_asked(hands: Mapping[str, HandAsked]) -> Asked:
    """Read what is asked of each hand, by its seat, and of two hands together, by both seats.

    >>> print(read_asked({"NS": "hcp 25+"}).parts[0])
    NS: hcp 25+
    """
    parts: list[Part] = []
    for seats, asked in hands.items():
        for one in _singles(asked):
            parts += _parts(seats, one)
    return Asked(tuple(parts))


def _singles(asked: HandAsked) -> Iterator[_Single]:
    if asked is None:
        return
    if isinstance(asked, HandConstraint | HandCondition | HandPattern | Hand | str):
        yield asked
    elif isinstance(asked, Sequence):
        for one in asked:
            yield from _singles(one)
    else:
        raise InvalidInput(
            f"not a hand or constraint: {asked!r}"
            " (expected like 'hcp 15-17, balanced' or 'AKxx.Qxx.xx+.+')"
        )


def _parts(seats: str, asked: _Single) -> Iterator[Part]:
    if isinstance(asked, str):
        is_hand = asked.count(".") == 3
        asked = HandPattern.from_text(asked) if is_hand else HandConstraint.from_text(asked)
    if isinstance(asked, Hand):
        asked = HandPattern(asked, is_open=(True, True, True, True))
    if isinstance(asked, HandPattern):
        asked = _constraint(asked)
    if isinstance(asked, HandCondition):
        yield Part(seats, str(asked), asked)
        return
    yield from [Part(seats, str(term), term) for term in _terms(asked)]


def _constraint(pattern: HandPattern) -> HandConstraint:
    """The constraint that says the same as a pattern."""
    c, d, h, s = (
        Range(least, None if is_open else least)
        for least, is_open in zip(pattern.min_lengths, pattern.is_open, strict=True)
    )
    return HandConstraint(lengths=(c, d, h, s), held=pattern.named)


def _terms(whole: HandConstraint) -> Iterator[HandConstraint]:
    """A constraint for each term, in the order in which they are shown."""
    free = HandConstraint()
    if whole.held.bits:
        yield replace(free, held=whole.held)
    if whole.denied.bits:
        yield replace(free, denied=whole.denied)
    if not whole.hcp.is_any:
        yield replace(free, hcp=whole.hcp)
    if not whole.controls.is_any:
        yield replace(free, controls=whole.controls)
    for suit in reversed(Suit):
        limit = whole.lengths[suit]
        if limit.high is not None or limit.low > whole.held.length(suit):
            limits = list(free.lengths)
            limits[suit] = limit
            c, d, h, s = limits
            yield replace(free, lengths=(c, d, h, s))
    for shape in whole.shapes:
        yield replace(free, shapes=(shape,))
    for count in whole.counts:
        yield replace(free, counts=(count,))
    for clause in whole.clauses:
        yield replace(free, clauses=(clause,))
