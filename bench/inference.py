"""Does inference help? The true layout's weight against a uniform one, over played boards.

    python -m bench.inference FILE.pbn [--boards 200] [--layouts 30] [--tau T] [--trust T] ...

On each board one player is asked in the middle of the play: declarer and the two defenders in turn,
after 5 to 9 tricks. The true layout stands among layouts drawn at random that fit what he knows;
all are weighed by the cards played. The log ratio is the logarithm of the true layout's weight
times the number of layouts: 0 if the cards told nothing.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from setrograde.bridge import Board, Contract, Seat
from setrograde.bridge.board import board_contract
from setrograde.formats import read_boards
from setrograde.robot.inference import Inference
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.pool import Pool
from setrograde.robot.signals import Signals
from setrograde.robot.values import DoubleDummy
from setrograde.solve import Solver

__all__ = ["log_ratio", "played_boards"]


def played_boards(path: str, count: int, *, least: int = 36) -> list[Board]:
    """Boards of a file with a recorded play of at least so many cards, evenly spread."""
    found = [
        board
        for board in read_boards(path)
        if board.deal is not None
        and board.deal.is_full
        and board.play is not None
        and len(board.play.cards) >= least
        and (contract := board_contract(board)) is not None
        and not contract.is_passed_out
    ]
    step = max(1, len(found) // count)
    return found[::step][:count]


def log_ratio(
    board: Board, seat: Seat, cards: int, layouts: int, seed: int, inference: Inference
) -> float:
    """How much more weight the true layout gets than a uniform one, as a logarithm."""
    known = Knowledge.of_board(board, seat, cards=cards)
    pool = Pool(seed, None)
    pool.fill(known, layouts)
    assert board.deal is not None
    n, e, s, w = (hand.bits for hand in board.deal.hands)
    candidates = [(n, e, s, w), *pool.layouts[:layouts]]
    logs = np.zeros(len(candidates))
    for turn in known.turns:
        logs += inference.log_likelihood(known, turn, candidates)
    weights = np.exp(logs - logs.max())
    return math.log(len(candidates) * weights[0] / weights.sum())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--layouts", type=int, default=30)
    parser.add_argument("--tau", type=float, default=None)
    parser.add_argument("--trust", type=float, default=None)
    parser.add_argument("--first-card", type=int, default=None)
    parser.add_argument("--no-leads", action="store_true")
    parser.add_argument("--signals", default="off")
    args = parser.parse_args()
    solver = Solver()
    found: dict[str, list[float]] = {"declarer": [], "defender": []}
    for number, board in enumerate(played_boards(args.file, args.boards)):
        contract = board_contract(board)
        assert isinstance(contract, Contract)
        seat = contract.declarer.next_by((0, 1, 3)[number % 3])
        cards = 20 + 4 * (number % 5)
        ask = DoubleDummy(contract.strain, contract.declarer.side, solver)
        options = {
            name: value
            for name in ("tau", "trust", "first_card")
            if (value := getattr(args, name)) is not None
        }
        inference = Inference(
            ask, leads=not args.no_leads, signals=Signals.from_text(args.signals), **options
        )
        role = "declarer" if seat == contract.declarer else "defender"
        found[role].append(log_ratio(board, seat, cards, args.layouts, number, inference))
    for role, ratios in [*found.items(), ("all", found["declarer"] + found["defender"])]:
        values = np.array(ratios)
        error = values.std(ddof=1) / math.sqrt(len(values))
        low, high = values.mean() - 1.96 * error, values.mean() + 1.96 * error
        print(
            f"{role:<9} {len(values):4} boards  mean log ratio {values.mean():+.3f}"
            f"  95 % interval {low:+.3f} to {high:+.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
