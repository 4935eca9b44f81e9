"""`setrograde robot`: one decision at a board."""

from .command import add_parser

__all__ = ["add_parser"]
