"""Text in, text out: PBN, LIN, RBN, JSON, BBO viewer links and DDS lists."""

from .files import FORMATS, detect_format, format_boards, parse_boards, read_boards, write_boards
from .problems import BoardFile, FormatError, Problem

__all__ = [
    "FORMATS",
    "BoardFile",
    "FormatError",
    "Problem",
    "detect_format",
    "format_boards",
    "parse_boards",
    "read_boards",
    "write_boards",
]
