"""Packages whose names are loaded when they are first used (PEP 562).

Such a package imports its names under `TYPE_CHECKING`, lists them in `__all__`, and gives the same
names by module to `lazy_names`. A test compares the three.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(
    package: str, modules: Mapping[str, str], *, packages: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that loads its names when first used.

    `modules` has, for each module below the package, its public names with spaces between them;
    `packages` are modules that can be reached by their own names.

    >>> load, names = lazy_names("setrograde", {"errors": "InvalidInput MissingTable"})
    >>> load("MissingTable").__name__, "InvalidInput" in names()
    ('MissingTable', True)
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}
    reachable = frozenset(packages)

    def load(name: str) -> object:
        if name in homes:
            value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        elif name in reachable:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *reachable})

    return load, names
