"""Games of the user's own: the classes in a Python file or module."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from .board_game import BoardGame
from .catalogue import CATALOGUE, CatalogueEntry
from .errors import InvalidGame

__all__ = ["load_games"]


def load_games(module: str) -> dict[str, CatalogueEntry]:
    """The games that a Python file, or an installed module, defines; by their names.

    A name with a slash or the ending `.py` is a file. Its code is run, and each class of
    `BoardGame` in it that has `from_size` and is not abstract is a game. Raises `InvalidGame` if
    there is none, if the code fails, and for the name of a game of this package.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "misere.py")
    ...     size = path.write_text(
    ...         "from setrograde.games import Nim\\n\\n"
    ...         "class MisereNim(Nim):\\n"
    ...         "    name = 'misere-nim'\\n"
    ...         "    stuck_wins = True\\n"
    ...     )
    ...     load_games(str(path))["misere-nim"].make("3,4,5")
    <misere-nim 3,4,5>
    """
    is_file = module.endswith(".py") or os.sep in module
    loaded = _load_file(module) if is_file else _load_module(module)
    found = {}
    for _, game in inspect.getmembers(loaded, inspect.isclass):
        if not issubclass(game, BoardGame) or game.__module__ != loaded.__name__:
            continue
        bases = [base for base in game.__mro__ if base is not BoardGame]
        has_size = any("from_size" in vars(base) for base in bases)
        if inspect.isabstract(game) or not has_size or not hasattr(game, "name"):
            continue
        if game.name in CATALOGUE:
            raise InvalidGame(
                f"{module}: the class {game.__name__} has the name of another game: {game.name!r}"
                " (give it a name of its own)"
            )
        found[game.name] = CatalogueEntry.of(game)
    if not found:
        raise InvalidGame(
            f"no game in {module!r} (expected a class of BoardGame with name and from_size)"
        )
    return found


def _load_file(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise InvalidGame(f"no such file: {path!r} (expected a Python file, or a module)")
    whole = os.path.realpath(path)
    name = f"_setrograde_games_{sha256(whole.encode()).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = whole
    sys.modules[name] = module  # dataclasses and pickles look their module up
    try:
        # Not by the import system: it takes compiled code for new if it is of the same second.
        exec(compile(Path(whole).read_bytes(), path, "exec"), vars(module))
    except Exception as error:  # whatever the user's code does
        del sys.modules[name]
        raise _failed(path, error) from error
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever the user's code does
        raise _failed(name, error) from error


def _failed(module: str, error: Exception) -> InvalidGame:
    return InvalidGame(f"{module!r} cannot be loaded: {type(error).__name__}: {error}")
