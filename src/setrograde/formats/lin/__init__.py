"""LIN, the format of Bridge Base Online: single boards, vugraph files, documents.

>>> boards = parse_lin("md|3S2HDC,S3HDC,S4HDC,S5HDC|ah|Board 7|sv|b|mb|1C!|an|strong|")
>>> boards[0].number, boards[0].auction.annotation(0).text
(7, 'strong')
"""

from .document import LinDocument, LinToken
from .reader import parse_lin, read_lin_document
from .writer import format_lin

__all__ = ["LinDocument", "LinToken", "format_lin", "parse_lin", "read_lin_document"]
