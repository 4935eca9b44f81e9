"""RBN, Richard Pavlicek's bridge notation: lines with a label of one letter.

>>> boards = parse_rbn("B 8\\nA WZ:1S2H:4H\\n")
>>> boards[0].number, str(boards[0].auction)
(8, '1S 2H 4H')
"""

from .reader import parse_rbn
from .writer import format_rbn

__all__ = ["format_rbn", "parse_rbn"]
