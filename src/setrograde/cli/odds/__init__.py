"""`setrograde odds`: exact odds of contracts."""

from .command import add_parser

__all__ = ["add_parser"]
