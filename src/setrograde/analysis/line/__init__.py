"""Declarer's best line with two hidden hands: its chance, and what to play, in words.

`odds` lets everyone see all cards. Here declarer sees two hands only, has to play the same card
wherever the layouts look alike, and meets the best defence. The difference between the two chances
is what seeing all cards would be worth.

>>> from setrograde.analysis.line import best_line
>>> found = best_line("AQ...", "32...", "NT", hidden="KJT9...", leader="S", need=2)
>>> print(found)
2 of 2 tricks in notrump, South to lead; 6 layouts of the unseen cards
Chance of the best line: 50.00 %, exact (3 of 6 layouts)
If everyone saw all cards: 50.00 %
<BLANKLINE>
South leads the ♠2.
- If West plays the ♠K: North plays the ♠A: the tricks are there.
- Otherwise: North plays the ♠Q: the rest plays itself.
"""

from .question import LineQuestion
from .result import CardChance, LineStep, PlayLine
from .solve import best_line

__all__ = ["CardChance", "LineQuestion", "LineStep", "PlayLine", "best_line"]
