"""`setrograde game`: board games solved by sets of boards."""

from .command import add_parser

__all__ = ["add_parser"]
