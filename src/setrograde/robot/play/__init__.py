"""Choosing cards: plain Monte Carlo and strategy search over worlds."""

from .decision import Candidate, Decision
from .goals import GOALS, Goal
from .player import METHODS, Player

__all__ = ["GOALS", "METHODS", "Candidate", "Decision", "Goal", "Player"]
