"""Matches of card play: the same contracts at two tables, duplicate, IMPs a board.

Side A sits North-South at one table and East-West at the other. Contracts are given: those of a
file, or sensible ones for random deals. Every board is reproducible by itself, so that a match can
be stopped and resumed at any board.

>>> result = play_match("double-dummy", "random", boards=2, seed=1)
>>> result.boards, result.imps_per_board > 0
(2, True)
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from setrograde.bridge import (
    Board,
    Card,
    Contract,
    Deal,
    Play,
    Seat,
    Side,
    Strain,
    Vulnerability,
    board_dealer,
    board_vulnerability,
    imps,
    score_board,
    score_contract,
)
from setrograde.bridge.board import board_contract
from setrograde.common.stop import StopFlag, check_stop
from setrograde.errors import InvalidInput
from setrograde.solve import Solver

from .knowledge import Knowledge
from .robots import Robot, make_robot
from .worlds import seed_of

__all__ = [
    "BoardResult",
    "MatchResult",
    "TableResult",
    "iter_contracts",
    "play_board",
    "play_match",
    "sensible_contract",
]


@dataclass(frozen=True, slots=True)
class TableResult:
    """How one table played a board."""

    play: Play
    """The cards."""

    tricks_declarer: int
    """Declarer's tricks."""

    score_ns: int
    """Points of North-South."""

    seconds: tuple[float, float]
    """Time of North-South and of East-West."""

    lost: dict[str, int] | None = None
    """Double-dummy tricks lost by `lead`, `declarer` and `defence`; `None` if not asked for."""


@dataclass(frozen=True, slots=True)
class BoardResult:
    """One board of a match, as side A and side B did."""

    number: int
    """Its number, from 1."""

    deal: Deal
    """The cards."""

    contract: Contract
    """The contract at both tables."""

    a_ns: TableResult
    """The table where A sat North-South."""

    b_ns: TableResult
    """The table where B sat North-South."""

    @property
    def imps(self) -> int:
        """IMPs of side A, negative if B won the board."""
        return imps(self.a_ns.score_ns - self.b_ns.score_ns)

    def to_dict(self) -> dict[str, object]:
        """The board as JSON has it."""
        tables = {}
        for name, table in (("a_ns", self.a_ns), ("b_ns", self.b_ns)):
            tables[name] = {
                "cards": " ".join([str(card) for card in table.play.cards]),
                "tricks": table.tricks_declarer,
                "score_ns": table.score_ns,
                "seconds": [round(spent, 3) for spent in table.seconds],
                "lost": table.lost,
            }
        return {
            "board": self.number,
            "deal": self.deal.to_pbn(),
            "contract": str(self.contract),
            "imps": self.imps,
            **tables,
        }


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match for side A."""

    a: str
    """The name of side A."""

    b: str
    """The name of side B."""

    seed: int
    """The seed of deals and robots."""

    rows: tuple[dict[str, object], ...] = field(repr=False)
    """One record for each board."""

    @property
    def boards(self) -> int:
        """The number of boards played."""
        return len(self.rows)

    @property
    def imps(self) -> tuple[int, ...]:
        """IMPs of A, board by board."""
        return tuple([int(row["imps"]) for row in self.rows])  # type: ignore[call-overload]

    @property
    def imps_per_board(self) -> float:
        """The mean; 0 if nothing was played."""
        return sum(self.imps) / self.boards if self.rows else 0.0

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean; `None` for fewer than two boards."""
        if self.boards < 2:
            return None
        mean = self.imps_per_board
        square = sum([(value - mean) ** 2 for value in self.imps])
        return math.sqrt(square / (self.boards - 1) / self.boards)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean."""
        if self.stderr is None:
            return None
        half = 1.96 * self.stderr
        return self.imps_per_board - half, self.imps_per_board + half

    def lost(self, side: str, role: str) -> float | None:
        """Double-dummy tricks a board that side `a` or `b` lost as declarer, defence or lead."""
        total, count = 0, 0
        for row in self.rows:
            declares_ns = Contract.from_text(str(row["contract"])).declarer.side is Side.NS
            for name in ("a_ns", "b_ns"):
                table: dict[str, dict[str, int] | None] = row[name]  # type: ignore[assignment]
                lost = table["lost"]
                if lost is None:
                    return None
                is_ns = (name == "a_ns") == (side == "a")
                declares = is_ns == declares_ns
                if declares == (role == "declarer"):
                    total += lost[role]
                    count += 1
        return total / count if count else None

    def seconds(self, side: str) -> float:
        """Seconds a board and table that side `a` or `b` took."""
        total = 0.0
        for row in self.rows:
            for name in ("a_ns", "b_ns"):
                table: dict[str, list[float]] = row[name]  # type: ignore[assignment]
                total += table["seconds"][0 if (name == "a_ns") == (side == "a") else 1]
        return total / (2 * self.boards) if self.rows else 0.0

    def to_dict(self) -> dict[str, object]:
        """The result as JSON has it."""
        interval = self.interval
        return {
            "a": self.a,
            "b": self.b,
            "seed": self.seed,
            "imps_per_board": round(self.imps_per_board, 4),
            "stderr": None if self.stderr is None else round(self.stderr, 4),
            "interval": None if interval is None else [round(end, 4) for end in interval],
            "boards": self.boards,
            "lost": {
                side: {role: self.lost(side, role) for role in ("declarer", "defence", "lead")}
                for side in "ab"
            },
            "seconds_per_board": {side: round(self.seconds(side), 3) for side in "ab"},
            "results": list(self.rows),
        }

    def __str__(self) -> str:
        error = "" if self.stderr is None else f" ± {self.stderr:.2f} (standard error)"
        lines = [
            f"{self.a} against {self.b}: {self.imps_per_board:+.2f}{error} IMPs a board,"
            f" {self.boards} boards, seed {self.seed}"
        ]
        if self.interval is not None:
            low, high = self.interval
            lines.append(f"95 % interval {low:+.2f} to {high:+.2f}")
        for side, name in (("a", self.a), ("b", self.b)):
            lost = [(role, self.lost(side, role)) for role in ("declarer", "defence", "lead")]
            told = [f"{role} {value:.2f}" for role, value in lost if value is not None]
            words = f", tricks lost a board: {', '.join(told)}" if told else ""
            lines.append(f"{name}: {self.seconds(side):.2f} s a board{words}")
        return "\n".join(lines)


_GAME_TRICKS = {
    Strain.CLUBS: 11,
    Strain.DIAMONDS: 11,
    Strain.HEARTS: 10,
    Strain.SPADES: 10,
    Strain.NOTRUMP: 9,
}


def sensible_contract(
    deal: Deal, solver: Solver | None = None, *, stop: StopFlag | None = None
) -> Contract | None:
    """A contract that fits the cards: the best that can just be made, by the double-dummy table.

    Slam or game where the tricks are there, else as high as they go; the side that scores more
    declares. `None` if no side can make anything.

    >>> deal = Deal("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> str(sensible_contract(deal))
    '2SE'
    """
    solver = Solver(limit_mb=64) if solver is None else solver
    table = solver.table(deal, stop=stop)
    best: tuple[int, Contract] | None = None
    for declarer in Seat:
        for strain in Strain:
            tricks = table.tricks(declarer, strain)
            if tricks < 7:
                continue
            contract = Contract(_level(strain, tricks), strain, declarer)
            score = score_contract(contract, tricks, is_vulnerable=False)
            if best is None or score > best[0]:
                best = score, contract
    return None if best is None else best[1]


def _level(strain: Strain, tricks: int) -> int:
    if tricks >= 12:
        return tricks - 6
    return min(tricks, max(_GAME_TRICKS[strain], 7)) - 6


def iter_contracts(boards: int, seed: int, *, stop: StopFlag | None = None) -> Iterator[Board]:
    """Random deals with sensible contracts, numbered from 1.

    >>> [str(board.contract) for board in iter_contracts(2, seed=1)]
    ['3HN', '3SN']
    """
    solver = Solver(limit_mb=64)
    number, tries = 0, 0
    while number < boards:
        tries += 1
        deal = Deal.random(seed=seed_of("match", seed, tries))
        contract = sensible_contract(deal, solver, stop=stop)
        if contract is None:
            continue
        number += 1
        yield Board(
            number, board_dealer(number), board_vulnerability(number), deal, contract=contract
        )


def play_board(
    board: Board,
    north_south: Robot,
    east_west: Robot,
    *,
    losses: bool = False,
    solver: Solver | None = None,
    stop: StopFlag | None = None,
) -> TableResult:
    """Play one board to the end: each side's robot sits on both of its seats.

    Every card is checked; a robot that revokes raises `InvalidPlay`.
    """
    contract = board_contract(board)
    if board.deal is None or contract is None or contract.is_passed_out:
        raise InvalidInput("no deal or no contract to play (expected both)")
    vulnerability = board.vulnerability or Vulnerability.NONE
    deal = board.deal
    board = replace(board, contract=contract, vulnerability=vulnerability)
    play = Play(deal, contract.strain, contract.leader, _recorded_lead(board))
    seconds = [0.0, 0.0]
    for robot in (north_south, east_west):
        robot.new_board(board)
    while not play.is_over:
        check_stop(stop)
        legal = play.legal_cards()
        if len(legal) == 1:
            play = play.with_card(legal[0])
            continue
        side = play.turn.side
        robot = north_south if side is Side.NS else east_west
        start = time.process_time()
        known = Knowledge.of_board(replace(board, play=play))
        card = robot.choose(known)
        seconds[side] += time.process_time() - start
        play = play.with_card(card)
    tricks = play.tricks_won(contract.declarer.side)
    lost = _losses(play, Solver(limit_mb=64) if solver is None else solver) if losses else None
    score = score_board(contract, tricks, vulnerability)
    return TableResult(play, tricks, score, (seconds[0], seconds[1]), lost)


def _recorded_lead(board: Board) -> tuple[Card, ...]:
    """The opening lead that the board has, if any: both tables get the same."""
    return () if board.play is None else board.play.cards[:1]


def _losses(play: Play, solver: Solver) -> dict[str, int]:
    """Double-dummy tricks lost by role."""
    lost = {"declarer": 0, "defence": 0, "lead": 0}
    declaring = play.leader.next.side
    trace = solver.trace(play)
    for number, (seat, _, cost) in enumerate(trace.cards()):
        role = "lead" if number == 0 else "declarer" if seat.side == declaring else "defence"
        lost[role] += cost
    return lost


def play_match(
    a: str | Robot,
    b: str | Robot,
    *,
    boards: int | Iterable[Board] = 16,
    seed: int = 1,
    losses: bool = False,
    record: str | Path | None = None,
    progress: Callable[[BoardResult], None] | None = None,
    stop: StopFlag | None = None,
) -> MatchResult:
    """Play a duplicate match of given contracts between two robots, or names of robots.

    `boards` is a number of random deals with sensible contracts, or the boards themselves. With
    `record`, a file, each finished board is written to it as a line of JSON; boards that the file
    has already are not played again.
    """
    names = _name(a), _name(b)
    todo = iter_contracts(boards, seed, stop=stop) if isinstance(boards, int) else boards
    header = {"a": names[0], "b": names[1], "seed": seed}
    rows = _read_record(record, header)
    solver = Solver(limit_mb=64)
    last = 0
    for number, board in enumerate(todo, 1):
        check_stop(stop)
        last = number
        if number in rows:
            continue
        tables = []
        for turned in (False, True):
            robots = [make_robot(each, seed=seed_of(seed, number), stop=stop) for each in (a, b)]
            if turned:
                robots.reverse()
            tables.append(play_board(board, *robots, losses=losses, solver=solver, stop=stop))
        contract = board_contract(board)
        assert board.deal is not None and contract is not None
        result = BoardResult(number, board.deal, contract, *tables)
        rows[number] = result.to_dict()
        if record is not None:
            _append(record, header, rows[number])
        if progress is not None:
            progress(result)
    kept = tuple([rows[number] for number in range(1, last + 1)])
    return MatchResult(*names, seed, kept)


def _name(robot: str | Robot) -> str:
    return robot if isinstance(robot, str) else str(getattr(robot, "name", type(robot).__name__))


def _read_record(
    record: str | Path | None, header: dict[str, object]
) -> dict[int, dict[str, object]]:
    """Boards played before, by number; the file must be of the same match."""
    if record is None or not Path(record).exists():
        return {}
    lines = Path(record).read_text(encoding="utf-8").splitlines()
    rows: dict[int, dict[str, object]] = {}
    for place, line in enumerate(lines):
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            if place == len(lines) - 1:
                break  # the last line was cut off when the match was stopped
            raise InvalidInput(f"not a record of a match: line {place + 1} of {record}") from None
        if place == 0:
            if value != header:
                raise InvalidInput(
                    f"{record} is of another match: {json.dumps(value)} (expected"
                    f" {json.dumps(header)})"
                )
        else:
            rows[int(value["board"])] = value
    return rows


def _append(record: str | Path, header: dict[str, object], row: dict[str, object]) -> None:
    path = Path(record)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if not text:
        text = json.dumps(header) + "\n"
    elif not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + json.dumps(row) + "\n")
