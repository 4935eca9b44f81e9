"""Values proved by the plain rules, down to the end of the game.

A value that agrees with the values one move on can still be wrong, as they can. So the proof looks
at the boards that the value rests on, at those that they rest on, and on to the end. Each board is
looked at once, whichever proof needs it. The proofs advance in turn, each depth first: the end of
the game is seen at once, short proofs are done soon, and what they leave is for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from setrograde.common.progress import CountProgress

from .rules import Place, Rules

__all__ = ["Proofs"]

_PROVED_AT_ONCE = 256  # boards that are looked at together, which is faster
_LOOKED_AT_ONCE = 2_000
_MOST_FAULTS = 10


class Proofs:
    """Boards looked at so far, and what is proved by them.

    >>> from setrograde.solve.boards import solve_game
    >>> proofs = Proofs(Rules(solve_game("nim", "3,4,5")))
    >>> proofs.prove([("345", 0)], budget=1000)
    >>> ("345", 0) in proofs.find_proved(), proofs.looked < 240
    (True, True)
    """

    def __init__(self, rules: Rules, progress: CountProgress | None = None) -> None:
        self._rules = rules
        self._progress = progress
        self._needs: dict[Place, tuple[Place, ...]] = {}
        self._wrong: set[Place] = set()
        self.faults: list[str] = []

    @property
    def looked(self) -> int:
        """The number of boards looked at."""
        return len(self._needs)

    @property
    def is_enough(self) -> bool:
        """Whether there are so many faults that looking for more is of no use."""
        return len(self.faults) >= _MOST_FAULTS

    def look(self, places: Iterable[Place]) -> None:
        """Look at boards, without following what their values rest on."""
        fresh = [place for place in dict.fromkeys(places) if place not in self._needs]
        for start in range(0, len(fresh), _LOOKED_AT_ONCE):
            if self.is_enough:
                return
            self._look(fresh[start : start + _LOOKED_AT_ONCE])

    def _look(self, places: Sequence[Place]) -> None:
        for look in self._rules.look(places, known=self._needs.keys()):
            self._needs[look.place] = look.needs
            self.faults += look.faults
            if look.faults:
                self._wrong.add(look.place)
        if self._progress:
            self._progress(self.looked)

    def prove(self, roots: Iterable[Place], *, budget: int) -> None:
        """Look at all that the values of some boards rest on, at `budget` boards at most.

        Half of the budget is shared by all boards alike. The other half is for one after another,
        those nearest the end of the game first.
        """
        last = self.looked + budget
        nearest_first = self._rules.sort_by_height(dict.fromkeys(roots))
        self._follow([[root] for root in nearest_first], last - budget // 2)
        self._follow([nearest_first[::-1]], last)

    def _follow(self, stacks: list[list[Place]], last: int) -> None:
        """Look at boards, each stack in its turn and from its top, until `last` were looked at."""
        followed: set[Place] = set()
        while stacks and self.looked < last and not self.is_enough:
            batch: dict[Place, list[Place]] = {}
            share = max(1, _PROVED_AT_ONCE // len(stacks))
            for stack in stacks:
                most = min(len(batch) + share, last - self.looked)
                while stack and len(batch) < most:
                    place = stack.pop()
                    if place in followed:
                        continue
                    followed.add(place)
                    if place in self._needs:
                        stack += self._needs[place]
                    else:
                        batch[place] = stack
            if batch:
                self._look(list(batch))
            for place, stack in batch.items():
                stack += self._needs[place]
            stacks = [stack for stack in stacks if stack]

    def find_proved(self) -> set[Place]:
        """The boards all of whose needs, and theirs in turn, were looked at and have no fault."""
        users: dict[Place, list[Place]] = {}
        for place, needs in self._needs.items():
            for need in needs:
                users.setdefault(need, []).append(place)
        unproved = {place for place in users if place not in self._needs} | self._wrong
        remaining = list(unproved)
        while remaining:
            for user in users.get(remaining.pop(), ()):
                if user not in unproved:
                    unproved.add(user)
                    remaining.append(user)
        return set(self._needs) - unproved
