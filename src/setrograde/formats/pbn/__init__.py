"""Portable Bridge Notation: lossless documents, boards, a strict verifier, export format."""

from .boards import parse_pbn
from .document import ItemKind, PbnDocument, PbnGame, PbnItem
from .results import add_results
from .verify import verify_pbn
from .write import format_pbn

__all__ = [
    "ItemKind",
    "PbnDocument",
    "PbnGame",
    "PbnItem",
    "add_results",
    "format_pbn",
    "parse_pbn",
    "verify_pbn",
]
