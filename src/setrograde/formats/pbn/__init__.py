"""Portable Bridge Notation: lossless documents, boards, a strict verifier, export format."""

from .document import ItemKind, PbnDocument, PbnGame, PbnItem

__all__ = ["ItemKind", "PbnDocument", "PbnGame", "PbnItem"]
