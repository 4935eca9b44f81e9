"""The gallery page: how many endings have each property, and the sharpest of each size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from setrograde.bridge import Play
from setrograde.bridge.display import format_deal, format_play
from setrograde.cli.values import format_cards, format_situation
from setrograde.db.mining.mine import MinedCount, MinedEnding, MinedEstimate, Property, mine

__all__ = ["Exhibit", "gallery_page"]

_HEAD = """\
# A gallery of endings

All endings were looked through, and these are the sharpest: the most tricks at stake, and of those
the ones in which fewest cards hold; where many are equally sharp, one of them at random. What the
properties mean exactly is in [Mining endings](mining.md). This page was made by

    {command}

Every ending was solved again without databases, and the command below it does so once more.
"""

_COUNTS = """\
## How many there are

*Endings* are what is left when ranks are relative, the leader comes first and side suits are alike.
Every one was counted{estimated}.
"""

_SHARES = r"""\ The same as shares of all *deals*: the chance that a random deal of that number of
cards from a pack has the property, with notrump and each trump suit equally likely, and without
trump deals that have no trumps left.
"""

_WORDS: Mapping[Property, str] = {
    Property.LEAD_COSTS: "Whoever must lead loses by it, whichever player of the side it is.",
    Property.ONLY_CARD: "Just one card is best, touching cards counted as one.",
    Property.LOW_BEATS_HIGH: "A lower card of a suit is better than a higher one of the hand.",
    Property.ONLY_LOW: "Just one card is best, and the leader has a higher one of that suit.",
    Property.UNBLOCK: "The leader may cash a winner; a defender must not follow with his lowest.",
}


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What was found of one property in one size."""

    kind: Property
    cards: int
    count: MinedCount | MinedEstimate
    sharpest: MinedEnding | None


def gallery_page(
    cards: int,
    *,
    seed: int = 0,
    estimate: int | None = None,
    command: str = "setrograde db mine --gallery",
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> str:
    """The page, in Markdown, for all sizes up to `cards`.

    With `estimate` the counts of the next size are estimated from that number of random shapes.

    >>> page = gallery_page(8, threads=1)
    >>> [line for line in page.splitlines() if line.startswith("| only-card")][0]
    '| only-card | 0 | 15,943 |'
    """
    exhibits = []
    sizes = range(4, cards + 1, 4)
    whole = sum(_weight(size) for size in sizes) * len(Property)
    done = 0.0
    for size in sizes:
        for kind in Property:
            found = mine(kind, size, threads=threads)
            sharpest = found.sharpest(1, seed=seed)
            exhibits.append(Exhibit(kind, size, found.count(), next(iter(sharpest), None)))
            done += _weight(size)
            if progress is not None:
                progress(done / whole)
    if estimate is not None:
        for kind in Property:
            guess = mine(kind, cards + 4, threads=threads).estimate(estimate, seed=seed)
            exhibits.append(Exhibit(kind, cards + 4, guess, None))
    return "\n".join([_HEAD.format(command=command), *_tables(exhibits), *_rooms(exhibits)])


def _weight(cards: int) -> float:
    """Work to expect, in arbitrary units."""
    return float(30 ** (cards // 4))


def _tables(exhibits: Sequence[Exhibit]) -> list[str]:
    guesses = [entry for entry in exhibits if isinstance(entry.count, MinedEstimate)]
    exact = [entry for entry in exhibits if isinstance(entry.count, MinedCount)]
    words = ""
    if guesses and isinstance(guesses[0].count, MinedEstimate):
        words = (
            f", except for {guesses[0].cards} cards: those are estimates from"
            f" {guesses[0].count.shapes:,} random shapes each, with their standard errors"
        )
    return [
        _COUNTS.format(estimated=words),
        _table(exhibits, _ending_cell),
        _SHARES,
        _table(exact, _share_cell),
    ]


def _table(exhibits: Sequence[Exhibit], cell: Callable[[Exhibit], str]) -> str:
    """A row for each property, a column for each size."""
    sizes = sorted({entry.cards for entry in exhibits})
    lines = [
        "| property | " + " | ".join([f"{size} cards" for size in sizes]) + " |",
        "| --- |" + " ---: |" * len(sizes),
    ]
    for kind in Property:
        cells = [cell(entry) for entry in exhibits if entry.kind is kind]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _ending_cell(entry: Exhibit) -> str:
    if isinstance(entry.count, MinedCount):
        return f"{entry.count.total:,}"
    return f"about {_rounded(entry.count.endings, 3)} ± {_rounded(entry.count.stderr, 2)}"


def _rounded(number: float, digits: int) -> str:
    """The number rounded to `digits` digits that count, written out."""
    return f"{float(f'{number:.{digits}g}'):,.0f}"


def _share_cell(entry: Exhibit) -> str:
    assert isinstance(entry.count, MinedCount)
    share = entry.count.share_of_deals
    if not share:
        return "none"
    return f"{share:.2%}" if share >= 0.001 else f"1 in {_rounded(1 / share, 3)}"


def _rooms(exhibits: Sequence[Exhibit]) -> list[str]:
    """A section for each property."""
    parts = []
    for kind in Property:
        parts.append(f"## {kind}\n\n{_WORDS[kind]}\n")
        for entry in exhibits:
            if entry.kind is kind and entry.sharpest is not None:
                parts.append(_frame(entry, entry.sharpest))
    return parts


def _frame(entry: Exhibit, ending: MinedEnding) -> str:
    start = Play(ending.deal, ending.strain, ending.leader)
    stake = f"{ending.cost} {'trick' if ending.cost == 1 else 'tricks'} at stake"
    alike = ""
    if isinstance(entry.count, MinedCount):
        alike = f", as in {entry.count.endings[ending.cost]:,} endings"
    return "\n".join(
        [
            f"### {entry.kind}, {entry.cards} cards",
            "",
            f"{ending.reason[0].upper()}{ending.reason[1:]}. {stake.capitalize()}{alike}.",
            "",
            "```text",
            format_deal(ending.deal),
            "",
            format_situation(start),
            "",
            format_cards(ending.leader.side, ending.cards),
            "",
            format_play(ending.line),
            "```",
            "",
            f"    {ending.command}",
            "",
        ]
    )
