"""`setrograde db`: endgame databases."""

from .command import add_parser

__all__ = ["add_parser"]
