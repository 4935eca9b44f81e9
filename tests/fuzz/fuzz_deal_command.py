"""Fuzz what `setrograde deal` is told: hands by conditions, cards or patterns, and scripts."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout

from readers import TESTS, fuzz_main

from setrograde.cli.main import main
from setrograde.formats.files import FORMATS

SEATS = ("north", "south", "ns", "west")
TEXTS = [
    "hcp 15-17, balanced\nspades 5+, hcp 8+",
    "AKxxx.+.+.+\n2 of top 3 clubs, void hearts\nhcp 25+",
    "AK32.Q54.KQ2.J76\nhcp 22+ or shape 5-5-2-1\n\nnot SQ",
]
SCRIPTS = [path.read_bytes() for path in sorted((TESTS / "data/dealer").glob("*.dl"))[:5]]


def run(data: bytes) -> None:
    """Deals are printed, or the status is 2 and there is one line; never a traceback."""
    words, stdin = ["deal", "--count", "2", "--seed", "1"], b""
    words += ["--to", FORMATS[len(data) % len(FORMATS)]]
    if data.count(b"(") > 1:  # a script rather than hands
        words, stdin = [*words, "-", *(["--why"] if len(data) % 2 else [])], data
    else:
        for seat, text in zip(SEATS, data.decode("utf-8", "replace").split("\n"), strict=False):
            words.append(f"--{seat}={text}")
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    usual, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(words)
    except SystemExit as left:
        status = int(str(left.code))
    finally:
        sys.stdin = usual
    assert status in (0, 2), (status, words)
    assert err.getvalue().count("\n") == (status == 2), err.getvalue()


if __name__ == "__main__":
    fuzz_main(run, [text.encode() for text in TEXTS] + SCRIPTS)
