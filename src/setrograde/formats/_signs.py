"""What deals and links look like in any text; expressions for small and capital letters alike."""

from __future__ import annotations

__all__ = ["BBO_LINK", "DEAL_LINE", "GAP", "HAND", "NAMED_DEAL", "PLAIN_DEAL"]

HAND = r"(?:-|(?:[2-9TJQKA]|10)*+(?:\.(?:[2-9TJQKA]|10)*+){3})"
"""A hand as PBN writes it, or a dash for a hand that is not known."""

GAP = r"(?:[ \t]*+[,;:|][ \t]*+|[ \t]++)"
"""What may stand between two hands."""

PLAIN_DEAL = rf"(?:[NESW][ \t]*+:[ \t]*+)?+{HAND}(?:{GAP}{HAND}){{3}}"
"""Four hands clockwise, perhaps behind the seat of the first."""

NAMED_DEAL = rf"[NESW][ \t:=]++{HAND}(?:{GAP}[NESW][ \t:=]++{HAND}){{3}}"
"""Four hands in any order, each behind its seat."""

DEAL_LINE = (
    rf"(?:\d{{1,6}}[.)]?[ \t]++)?+[\"']?(?:{NAMED_DEAL}|{PLAIN_DEAL})[\"']?[ \t]*+(?![^\r\n])"
)
"""A line that holds a deal, perhaps behind its number, and nothing else."""

BBO_LINK = (
    r"(?:\[hv=|[a-z]{3,8}://|(?<![\w:/])//|(?<![\w./])www\.|(?<![\w?])\?)\S{0,400}?"
    r"(?<=[?&;=])(?:lin=|[nesw]=[shdc]{1,4}[2-9tjqka1]|a=(?:p|[1-7][cdhsn]))"
)
"""The beginning of a link to a hand viewer, up to the first sign of a board in it."""
