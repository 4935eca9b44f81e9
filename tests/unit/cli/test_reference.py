"""Options say their defaults in one way, and `docs/reference/cli.md` says the same."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from setrograde.cli.bench import BENCHMARKS
from setrograde.cli.main import COMMANDS, command_parser

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/cli.md"

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
DEFAULT = re.compile(r"\(default:?\s+([^)]*)\)")
LOOSE = re.compile(r"if not given|unless given|if not told|by default")


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Every command that runs, by the words that call it."""
    found: dict[str, argparse.ArgumentParser] = {}

    def add(words: list[str], parser: argparse.ArgumentParser) -> None:
        below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        if not below:
            found[" ".join(words)] = parser
        for action in below:
            for name, child in action.choices.items():
                add([*words, name], child)

    add([], command_parser())
    return found


PARSERS = parsers()


def options(name: str) -> dict[str, argparse.Action]:
    """The options of a command by their names; `--no-x` stands beside `--x`."""
    return {
        text: action
        for action in PARSERS[name]._actions
        for text in action.option_strings
        if text.startswith("--") and text != "--help"
    }


def help_of(name: str, action: argparse.Action) -> str:
    """The help of an option as it is printed."""
    formatter = PARSERS[name]._get_formatter()
    return formatter._expand_help(action) if action.help else ""


def defaults(text: str) -> list[str]:
    """The defaults that a help text or a row of the page speaks of."""
    return [found.replace("`", "") for found in DEFAULT.findall(text)]


def numbers(text: str) -> set[str]:
    """The numbers among the defaults a text speaks of."""
    return set(re.findall(r"\d+", " ".join(defaults(text))))


def is_plain(default: object) -> bool:
    """True for defaults that need no words: nothing given, a switch that is off."""
    return default is None or default is False or default == ""


def sections() -> dict[str, str]:
    """The page's text below each heading, by the heading."""
    parts = re.split(r"^#{2,3} (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def synopsis(name: str) -> str:
    """The lines of a command's section that show how to call it."""
    lines = sections()[name].split("\n| ")[0].splitlines()
    return "\n".join([line for line in lines if line.startswith("    ")])


def rows(name: str) -> dict[str, str]:
    """What the tables of a command's section say of each option."""
    found = {}
    for line in sections()[name].splitlines():
        cells = line.split(" | ", 1)
        if line.startswith("| ") and len(cells) == 2 and (names := OPTION.findall(cells[0])):
            found |= dict.fromkeys(names, cells[1])
    return found


@pytest.mark.parametrize("name", PARSERS)
def test_help_says_the_default_that_the_option_has(name: str) -> None:
    for text, action in options(name).items():
        said = defaults(help_of(name, action))
        if isinstance(action, argparse.BooleanOptionalAction) or is_plain(action.default):
            continue
        assert said == [str(action.default)], f"{name} {text}: {action.help}"


@pytest.mark.parametrize("name", PARSERS)
def test_defaults_are_written_in_one_way(name: str) -> None:
    for text, action in options(name).items():
        loose = LOOSE.search(help_of(name, action))
        assert loose is None, f"{name} {text}: {loose and loose[0]!r} (expected '(default X)')"


@pytest.mark.parametrize("name", PARSERS)
def test_every_command_takes_json(name: str) -> None:
    assert "--json" in options(name)


@pytest.mark.parametrize("name", PARSERS)
def test_page_has_a_row_for_every_option_and_for_no_other(name: str) -> None:
    assert set(rows(name)) == set(options(name))


@pytest.mark.parametrize("name", PARSERS)
def test_page_says_the_default_that_the_option_has(name: str) -> None:
    for text, row in rows(name).items():
        action = options(name)[text]
        assert not LOOSE.search(row), f"{name} {text}: {row}"
        if not isinstance(action, argparse.BooleanOptionalAction) and not is_plain(action.default):
            assert defaults(row) == [str(action.default)], f"{name} {text}"


@pytest.mark.parametrize("name", PARSERS)
def test_page_and_help_speak_of_the_same_numbers(name: str) -> None:
    for text, row in rows(name).items():
        assert numbers(row) == numbers(help_of(name, options(name)[text])), f"{name} {text}"


@pytest.mark.parametrize("name", PARSERS)
def test_synopsis_has_every_argument_and_no_other(name: str) -> None:
    shown = synopsis(name)
    assert f"setrograde {name}" in shown
    written = set(OPTION.findall(shown))
    assert written <= set(options(name))
    for action in options(name).values():  # one of the names of each option
        assert written & set(action.option_strings), f"{name}: {action.option_strings}"
    for action in PARSERS[name]._actions:
        metavar = action.metavar
        if isinstance(metavar, str) and action.option_strings:
            assert f"{action.option_strings[-1]} {metavar}" in shown, f"{name}: {metavar}"
        elif isinstance(metavar, str):
            assert re.search(rf"\b{metavar}\b", shown), f"{name}: {metavar}"


def test_page_has_a_section_for_every_command_and_lists_it() -> None:
    index = sections()
    page = PAGE.read_text("utf-8").split("\n## ")[0]
    listed = re.findall(r"^\| \[`([a-z ]+?)(?: [A-Z].*?)?`\]\(#([a-z-]+)\)", page, re.MULTILINE)
    assert [words for words, _ in listed] == list(PARSERS)
    for words, anchor in listed:
        assert words in index
        assert anchor == words.replace(" ", "-")
    groups = {name.split()[0] for name in PARSERS if " " in name}
    assert set(index) == {"What all commands share", *PARSERS, *groups}


def test_page_speaks_of_no_option_that_is_not_there() -> None:
    known = {text for name in PARSERS for text in options(name)} | {"--help", "--version"}
    assert set(OPTION.findall(PAGE.read_text("utf-8"))) <= known


def shown_commands() -> list[tuple[str, str]]:
    """Every command line in the documentation, with the page that shows it."""
    root = PAGE.parents[2]
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    return [
        (page.name, found)
        for page in pages
        for found in re.findall(r"\bsetrograde ([a-z][^`\n#|]*)", page.read_text("utf-8"))
        if found.split()[0] in COMMANDS
    ]


@pytest.mark.parametrize(("page", "line"), shown_commands())
def test_commands_shown_in_the_documentation_exist(page: str, line: str) -> None:
    names = [name for name in PARSERS if re.match(rf"{name}\b", line)]
    groups = {name.split()[0] for name in PARSERS if " " in name}
    if not names:  # `setrograde db --help`
        assert line.split()[0] in groups
        assert set(OPTION.findall(line)) <= {"--help"}
        return
    (name,) = names
    assert set(OPTION.findall(line)) <= {*options(name), "--help"}, f"{page}: {line}"


def test_page_lists_the_benchmarks_there_are() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", sections()["bench"].split("| option |")[0], re.MULTILINE)
    assert listed == list(BENCHMARKS)


def test_commands_have_the_names_of_their_modules() -> None:
    (commands,) = (
        action
        for action in command_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    assert list(commands.choices) == list(COMMANDS)
