"""The pages on odds: the picture is up to date, and links lead somewhere."""

from __future__ import annotations

from pathlib import Path

from setrograde.cli.main import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
HANDS = ["--north", "AKQ2.T98.A76.K54", "--south", "876.765.KQJ.QJT9"]


def test_picture_is_the_one_the_command_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "odds.svg"
    words = [*HANDS, "--strain", "NT", "--declarer", "S", "--samples", "0", "--no-words"]
    assert main(["odds", *words, "--svg", str(drawn)]) == 0
    page = (DOCS / "explanation" / "odds.md").read_text("utf-8")
    assert "](odds_distribution.svg)" in page
    kept = DOCS / "explanation" / "odds_distribution.svg"
    assert kept.read_text("utf-8") == drawn.read_text("utf-8")


def test_every_page_that_is_linked_to_is_there() -> None:
    for name in ("howto/odds.md", "explanation/odds.md"):
        page = DOCS / name
        for link in (part.split(")")[0] for part in page.read_text("utf-8").split("](")[1:]):
            assert (page.parent / link.split("#")[0]).exists(), (name, link)
