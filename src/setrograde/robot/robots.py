"""Robots by name, for matches: ours, and any object that leads and plays.

| name | plays |
| --- | --- |
| `strategy` | strategy search over worlds as declarer, Monte Carlo in defence |
| `monte-carlo` | plain Monte Carlo in every seat |
| `double-dummy` | with all cards in view; a yardstick, not a player |
| `random` | any legal card |

Options follow a colon: `monte-carlo:worlds=20,goal=make`.

>>> make_robot("monte-carlo:worlds=20", seed=1).name
'monte-carlo:worlds=20'
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol, runtime_checkable

from setrograde.bridge import Board, Card
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.solve import Solver

from .knowledge import Knowledge
from .play import Player
from .worlds import seed_of

__all__ = ["ROBOTS", "Robot", "make_robot"]


@runtime_checkable
class Robot(Protocol):
    """What a match needs of a player."""

    name: str
    """What it is called in results."""

    def new_board(self, board: Board) -> None:
        """A new board begins. A fair robot looks at nothing here."""

    def choose(self, known: Knowledge) -> Card:
        """The card to play for the seat that is on turn."""


class _OwnPlayer:
    """A `Player`, one for each seat."""

    def __init__(self, name: str, seed: int, **options: Any) -> None:
        self.name = name
        self._player = Player(seed=seed, **options)

    def new_board(self, board: Board) -> None:
        """Nothing to do: a player forgets by itself."""

    def choose(self, known: Knowledge) -> Card:
        return self._player.decide(known).choice


class _DoubleDummyRobot:
    """Sees all cards."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._solver = Solver(limit_mb=64)
        self._board = Board()

    def new_board(self, board: Board) -> None:
        self._board = board

    def choose(self, known: Knowledge) -> Card:
        assert self._board.deal is not None
        values = self._solver.cards(
            self._board.deal, known.strain, known.contract.leader, played=known.played
        )
        best = [value.card for value in values if value.cost == 0]
        return min(best, key=lambda card: (card.rank, card.suit))


class _RandomRobot:
    """Any legal card."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._seed = seed

    def new_board(self, board: Board) -> None:
        """Nothing to do."""

    def choose(self, known: Knowledge) -> Card:
        rng = Random(seed_of(self._seed, known.seat, *known.played))
        return rng.choice(known.legal_cards())


class _Guest:
    """An object with `lead` and `play` as `Player` has them."""

    def __init__(self, guest: Any) -> None:
        self.name = str(getattr(guest, "name", type(guest).__name__))
        self._guest = guest

    def new_board(self, board: Board) -> None:
        """Nothing to do."""

    def choose(self, known: Knowledge) -> Card:
        common = {
            "contract": known.contract,
            "auction": known.auction,
            "vul": known.vulnerability,
            "meanings": known.meanings,
        }
        if not known.played:
            return Card(str(self._guest.lead(known.hand, **common)))
        card = self._guest.play(
            known.hand, dummy=known.dummy, seat=known.turn, played=known.played, **common
        )
        return Card(str(card))


def _player(method: str) -> Callable[..., Robot]:
    def make(name: str, seed: int, **options: Any) -> Robot:
        return _OwnPlayer(name, seed, method=method, **options)

    return make


ROBOTS: dict[str, Callable[..., Robot]] = {
    "strategy": _player("strategy"),
    "monte-carlo": _player("monte_carlo"),
    "double-dummy": _DoubleDummyRobot,
    "random": _RandomRobot,
}
"""How robots are made, by name."""

_PLAYERS = ("strategy", "monte-carlo")

_OPTIONS: dict[str, Callable[[str], Any]] = {
    "worlds": int,
    "seconds": float,
    "goal": str,
    "depth": int,
    "depth_defence": int,
    "work": int,
    "blend": float,
    "blend_defence": float,
    "infer": lambda text: text not in ("0", "no", "off", "false"),
    "signals": lambda text: text.replace("+", ", ").replace("_", " "),
}


def make_robot(
    robot: str | Robot | object, *, seed: int = 1, stop: StopFlag | None = None
) -> Robot:
    """A robot by its name, or as it is; an object with `lead` and `play` is wrapped.

    >>> make_robot("gambler")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a robot: 'gambler' (expected strategy, monte-carlo, \
double-dummy or random, with options like 'monte-carlo:worlds=20')
    """
    if not isinstance(robot, str):
        if isinstance(robot, Robot):
            return robot
        if hasattr(robot, "lead") and hasattr(robot, "play"):
            return _Guest(robot)
        raise InvalidInput(f"not a robot: {robot!r} (expected a name, or lead and play methods)")
    name, _, rest = robot.partition(":")
    if name not in ROBOTS:
        raise InvalidInput(
            f"not a robot: {robot!r} (expected {', '.join([*ROBOTS][:-1])} or {[*ROBOTS][-1]},"
            " with options like 'monte-carlo:worlds=20')"
        )
    options: dict[str, Any] = {}
    for term in filter(None, rest.split(",")):
        key, equals, value = term.partition("=")
        is_player = name in _PLAYERS
        if not equals or key not in _OPTIONS or not is_player:
            expected = ", ".join(_OPTIONS) if is_player else "none"
            raise InvalidInput(f"not an option of {name}: {term!r} (options: {expected})")
        try:
            options[key] = _OPTIONS[key](value)
        except ValueError:
            raise InvalidInput(f"not a number: {term!r}") from None
    if name in _PLAYERS:
        options["stop"] = stop
    return ROBOTS[name](robot, seed, **options)
