"""What all commands share: exit status, one-line errors, interrupts, closed pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import setrograde
from setrograde.cli import common
from setrograde.cli.main import main
from setrograde.errors import InvalidInput, MissingTable, Stopped

DEAL = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"


def run_script(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "setrograde.cli", *arguments]


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"setrograde {setrograde.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["shwo"], "'shwo'"),
        (["show"], "FILE"),
        (["show", DEAL, "--board", "three"], "'three'"),
        (["show", DEAL, "--colour"], "--colour"),
        (["show", "no/such/file.pbn"], "'no/such/file.pbn'"),
        (["show", "N:AK... QJ... T9... 8x..."], "'x'"),
        (["show", "."], "'.'"),
        (["convert", DEAL, "out.doc"], "'out.doc'"),
        (["convert", DEAL, "out.doc", "--to", "word"], "'word'"),
        (["convert", DEAL, "-"], "'-'"),
        (["convert", DEAL, "-", "--to", "dds", "--json"], "--json"),
        (["convert", DEAL, "no/such/folder/a.lin"], "no/such/folder"),
    ],
)
def test_bad_input_gives_one_line_that_quotes_it_and_status_2(
    arguments: list[str], quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"setrograde: [^\n]+\n", output.err)
    assert quoted in output.err


def test_error_text_with_control_characters_stays_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["show", "no\nsuch\x1b[31mfile"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "\x1b" not in error


def test_bugs_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("setrograde.cli.show.load_boards", broken)
    with pytest.raises(ZeroDivisionError):
        main(["show", DEAL])


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (MissingTable("no endings with 12 cards"), 1, "no endings with 12 cards"),
        (InvalidInput("not a seat: 'Q'"), 2, "not a seat: 'Q'"),
        (PermissionError(13, "Permission denied", "a.pbn"), 2, "Permission denied: 'a.pbn'"),
        (Stopped("stopped before the end"), 130, "interrupted"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_every_kind_of_error_has_its_status(
    error: BaseException,
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*_: object) -> int:
        raise error

    monkeypatch.setattr("setrograde.cli.show.run", run)
    assert main(["show", DEAL]) == status
    assert capsys.readouterr().err == f"setrograde: {line}\n"


IMPORTED = """
import sys
from setrograde.cli.main import main
status = main(sys.argv[1:])
heavy = ("numpy", "rich", "zstandard", "setrograde._core", "setrograde.bridge")
print(*[name for name in heavy if name in sys.modules], file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [
        (["--version"], []),
        (["--help"], []),
        (["show", "--help"], ["setrograde.bridge"]),
        (["convert", "--help"], ["setrograde.bridge"]),
    ],
)
def test_only_what_a_command_needs_is_imported(arguments: list[str], imported: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr.split() == imported


def test_command_is_found_behind_the_name_of_the_script(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["setrograde", "show", DEAL])
    assert main() == 0
    assert "AKQ2" in capsys.readouterr().out


def test_script_exits_with_the_status_of_main() -> None:
    done = subprocess.run(run_script("show", "none.pbn"), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "setrograde: No such file or directory: 'none.pbn'\n"


def test_closed_pipe_is_quiet(tmp_path: Path) -> None:
    deals = tmp_path / "many.dds"
    deals.write_text("".join([f'PBN 0 0 4 0 "{DEAL}"\n' for _ in range(2000)]))
    process = subprocess.Popen(
        run_script("show", str(deals)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 141
    assert error == b""


SLOW_COMMAND = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
from setrograde.cli import main as cli, show
from setrograde.cli.common import track

def run(args):
    print("started", flush=True)
    for _ in track(range(1000), "waiting", 1000):
        time.sleep(0.1)

show.run = run
sys.exit(cli.main(["show", "x"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interrupt_ends_a_long_command_within_a_second() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_COMMAND],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert error == "setrograde: interrupted\n"
    assert time.monotonic() - sent < 1.0


class Terminal:
    """Just enough of a terminal to be written to."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_progress_is_shown_on_a_terminal_once_work_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    for _ in common.track(range(4), "solving", 4, after_s=0.05):
        time.sleep(0.1)
    assert "solving" in terminal.text


def test_short_work_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert list(common.track(iter("abc"), "solving")) == ["a", "b", "c"]
    assert "solving" not in terminal.text


def test_no_progress_unless_stderr_is_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in common.track(range(2), "solving", after_s=0.0):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_progress_ends_before_an_error_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object) -> int:
        for item in common.track(range(4), "solving", 4, after_s=0.01):
            time.sleep(0.05)
            if item == 1:
                raise InvalidInput("no such thing: 'x'")
        return 0

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("setrograde.cli.show.run", work)
    assert main(["show", DEAL]) == 2
    time.sleep(0.3)  # a bar still alive would redraw itself
    assert "solving" in terminal.text
    assert terminal.text.endswith("setrograde: no such thing: 'x'\n")


def test_no_colour_when_asked_or_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert common.uses_colour(terminal)  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not common.uses_colour(terminal)  # type: ignore[arg-type]
