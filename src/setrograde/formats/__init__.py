"""Text in, text out: PBN, LIN, RBN, JSON, BBO viewer links and DDS lists."""

from .problems import BoardFile, FormatError, Problem

__all__ = ["BoardFile", "FormatError", "Problem"]
