"""Check a solved game by its plain rules: board by board, and down to the end of the game.

The checks use `BoardGame.iter_steps`, `is_legal` and `has_lost`, which know nothing of sets.

- `rules` looks at one board: does its value follow from the values of the boards its moves lead to?
- `proofs` follows a value to the end of the game, so that it is proved and not only plausible.
- `draws` chooses the boards, and `report` says what follows for all of them.

>>> from setrograde.solve.boards import solve_game
>>> print(verify_solution(solve_game("nim", "3,4,5")))
right: all 240 boards
"""

from .draws import verify_solution
from .report import BoardCheck, EndCheck

__all__ = ["BoardCheck", "EndCheck", "verify_solution"]
