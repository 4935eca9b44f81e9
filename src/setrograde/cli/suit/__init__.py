"""`setrograde suit`: the best line in one suit."""

from .command import add_parser

__all__ = ["add_parser"]
