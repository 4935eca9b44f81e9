"""Which options of `setrograde odds` go together; found out before any work begins."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from setrograde.errors import InvalidInput

__all__ = ["check_options", "check_output"]

_QUESTIONS = ("table", "compare", "lead_from")

_ONLY_WITH = {"exact": "table", "vul": "compare", "dummy": "lead_from"}
"""Options that mean something for one kind of question only."""

_NOT_WITH = {
    "table": ("strain", "declarer", "contract", "need", "lead", "played", "within", "svg"),
    "compare": ("strain", "contract", "need", "lead", "played", "within", "svg", "method"),
    "lead_from": ("strain", "lead", "played", "within", "svg", "method"),
    "contract": ("strain",),
    "exact": ("samples",),
    "lead": ("played",),
}

_DEFAULTS = {"vul": "none", "method": "patterns"}
"""Options that have a value even where nobody gives one."""

_WHY = {
    "within": "expected --samples or --time",
    "svg": "expected a question about one contract",
    "lead": "expected one: the lead is the first card",
}


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not go together, in one line.

    >>> args = argparse.Namespace(table=True, compare="4SS", vul=None)
    >>> check_options(args)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: both --table and --compare (expected one of them)
    """
    asked = [name for name in _QUESTIONS if _is_given(args, name)]
    if len(asked) > 1:
        raise InvalidInput(
            f"both {_option(asked[0])} and {_option(asked[1])} (expected one of them)"
        )
    for name, question in _ONLY_WITH.items():
        if _is_given(args, name) and question not in asked:
            raise InvalidInput(
                f"{_option(name)} without {_option(question)} (expected both or neither)"
            )
    for name, others in _NOT_WITH.items():
        for other in others:
            if _is_given(args, name) and _is_given(args, other):
                why = _WHY.get(other) or _WHY.get(name) or "expected one of them"
                raise InvalidInput(f"both {_option(name)} and {_option(other)} ({why})")


def _is_given(args: argparse.Namespace, name: str) -> bool:
    return getattr(args, name, None) not in (None, False, "", _DEFAULTS.get(name))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def check_output(path: str | None) -> None:
    """Refuse a file that cannot be written, before the work that would fill it.

    >>> check_output("/no/such/folder/a.svg")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: cannot write '/no/such/folder/a.svg': no folder \
'/no/such/folder' (expected a file in a folder that is there)
    """
    if path is None or path == "-":
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InvalidInput(f"cannot write {path!r}: it is a folder (expected a file)")
    if not target.parent.is_dir():
        raise InvalidInput(
            f"cannot write {path!r}: no folder {str(target.parent)!r}"
            " (expected a file in a folder that is there)"
        )
    place = target if target.exists() and not target.is_file() else target.parent
    if not os.access(place, os.W_OK):
        raise InvalidInput(
            f"cannot write {path!r}: no permission (expected a place you may write to)"
        )
