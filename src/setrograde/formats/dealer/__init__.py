"""The language of the dealer program: scripts that say which deals are wanted and what to print.

`parse_dealer` reads a script into a `Script`, a typed syntax tree; `format_dealer` writes it again.
`setrograde.analysis.deal.run_script` runs it.

>>> script = parse_dealer("hcp(north) >= 20 and shape(north, any 4333) action printoneline")
>>> print(format_dealer(script), end="")
condition hcp(north) >= 20 && shape(north, any 4333)
action printoneline
"""

from .parser import parse_dealer, parse_expression
from .syntax import Script
from .writer import format_dealer, format_expression

__all__ = ["Script", "format_dealer", "format_expression", "parse_dealer", "parse_expression"]
