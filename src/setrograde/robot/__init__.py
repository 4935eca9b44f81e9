"""Robots: what a seat knows, what the cards played tell, which card to play, and matches.

>>> from setrograde.robot import Player
>>> player = Player(seconds=2, seed=1, worlds=8)
>>> player.lead("KQJT9.32.432.432", contract="3NTS", vul="none")
Card.from_text('SK')
"""

from .knowledge import InvalidHistory, Knowledge
from .play import Candidate, Decision, Player
from .signals import Signals

__all__ = ["Candidate", "Decision", "InvalidHistory", "Knowledge", "Player", "Signals"]
