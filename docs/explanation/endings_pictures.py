"""Draws the pictures of endings.md and diagrams.md from a database built for the purpose.

`python docs/explanation/endings_pictures.py` writes them anew beside this file.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from setrograde.bridge import Deal, Seat, Strain, Suit
from setrograde.db.database import EndingDatabase, level_path
from setrograde.db.deal_sets import DealSet
from setrograde.db.methods.diagram_build import build_diagrams

DEAL = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
HIDDEN = DealSet.from_text("SAQ=N H2=N S54=S H3=S SK763=EW HA4=EW")
STRAIN, LEADER = Strain.NOTRUMP, Seat.SOUTH

INK, RED, PALE, BLUE, ORANGE = "#222", "#c22", "#eef1f5", "#3b6ea8", "#d98a2b"
PLACES = {Seat.NORTH: (110, 34), Seat.WEST: (14, 92), Seat.EAST: (206, 92), Seat.SOUTH: (110, 154)}

Hands = Mapping[Seat, Mapping[Suit, str]]


def text(x: float, y: float, words: str, *, size: int = 15, fill: str = INK, **more: str) -> str:
    """One line of text; suit symbols of hearts and diamonds are red."""
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    shown = escape(words)
    for symbol in "♥♦":
        shown = shown.replace(symbol, f'<tspan fill="{RED}">{symbol}</tspan>')
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{attributes}>{shown}</text>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" rx="3"/>'


def four_hands(x: float, y: float, hands: Hands, leader: Seat) -> Iterator[str]:
    """Hands around a table, the one on lead marked."""
    yield box(x + 104, y + 68, 64, 52, PALE)
    for seat, (dx, dy) in PLACES.items():
        marked = " ►" if seat is leader else ""
        yield text(x + dx, y + dy - 18, seat.name.title() + marked, size=12, fill="#777")
        for line, (suit, ranks) in enumerate(hands[seat].items()):
            shown = f"{suit.symbol} {ranks or '–'}"
            yield text(x + dx, y + dy + 19 * line, shown, font_family="monospace")


def hands_of(deal: Deal) -> Hands:
    """The spades and hearts of a deal."""
    return {
        seat: {
            suit: " ".join(card.rank.letter for card in deal[seat] if card.suit is suit)
            for suit in (Suit.SPADES, Suit.HEARTS)
        }
        for seat in Seat
    }


def hands_of_set(deals: DealSet) -> Hands:
    """Cards with one holder by name, `?` for one of two or three holders', `x` for the rest."""
    open_suits = {card.suit for card, seats in deals.holders.items() if len(seats) in (2, 3)}
    shown: dict[Seat, dict[Suit, str]] = {}
    for seat in Seat:
        shown[seat] = {}
        for suit in (Suit.SPADES, Suit.HEARTS):
            length = deals.lengths[seat, suit][0]
            named = [c.rank.letter for c in deals.cards_of(suit) if deals.holders[c] == {seat}]
            may = suit in open_suits and any(
                seat in deals.holders[card] and len(deals.holders[card]) in (2, 3)
                for card in deals.cards_of(suit)
            )
            shown[seat][suit] = " ".join(named + ["?" if may else "x"] * (length - len(named)))
    return shown


def picture(width: int, height: int, parts: Iterator[str], title: str) -> str:
    """A whole SVG file."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        box(0, 0, width, height, "white"),
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def draw_set(database: EndingDatabase) -> str:
    """One deal, and the set it was found in."""
    deals = database.probe(DEAL, STRAIN, LEADER).deals
    assert deals is not None
    value = database.query(deals, STRAIN, LEADER)
    count, tricks = value.deals, value.min
    assert value.min == value.max

    def parts() -> Iterator[str]:
        yield from four_hands(10, 0, hands_of(DEAL), LEADER)
        yield text(300, 106, "→", size=34, fill=BLUE)
        yield from four_hands(350, 0, hands_of_set(deals), LEADER)
        yield text(24, 212, f"one deal: N-S take {tricks}", size=14)
        yield text(364, 212, f"{count} deals: N-S take {tricks} in each", size=14)
        yield text(364, 232, "? is ♠Q or an x", size=12, fill="#777")

    return picture(650, 244, parts(), "A deal and the set of deals with the same result")


def draw_probe(database: EndingDatabase) -> str:
    """What each card that South may lead is worth."""
    cards = database.probe(DEAL, STRAIN, LEADER).cards

    def parts() -> Iterator[str]:
        yield from four_hands(10, 0, hands_of(DEAL), LEADER)
        yield text(330, 46, "South leads", size=12, fill="#777")
        yield text(420, 46, "tricks of N-S", size=12, fill="#777")
        for line, value in enumerate(cards):
            y = 62 + 32 * line
            name = f"{value.card.suit.symbol} {value.card.rank.letter}"
            yield text(340, y + 16, name, font_family="monospace")
            yield box(420, y, 60 * value.tricks, 22, ORANGE if value.cost else BLUE)
            yield text(430 + 60 * value.tricks, y + 16, str(value.tricks))

    return picture(650, 200, parts(), "The value of every card South may lead")


def draw_query(database: EndingDatabase) -> str:
    """Tricks over all layouts of the hidden cards, and the cards that decide."""
    value = database.query(HIDDEN, STRAIN, LEADER)
    decisive = [e for e in database.decisive_cards(HIDDEN, STRAIN, LEADER) if e.share > 0.01]

    def parts() -> Iterator[str]:
        yield text(14, 26, f"{value.deals} layouts of the hidden cards", size=14)
        for line, (tricks, deals) in enumerate(sorted(value.histogram.items())):
            y = 46 + 34 * line
            yield text(14, y + 16, f"{tricks} trick{'s' * (tricks != 1)}")
            yield box(84, y, 11 * deals, 22, BLUE if tricks == value.max else ORANGE)
            yield text(92 + 11 * deals, y + 16, str(deals))
        yield text(340, 26, "average tricks, by who has the card", size=14)
        for line, entry in enumerate(decisive):
            y = 44 + 62 * line
            name = f"{entry.card.suit.symbol}{entry.card.rank.letter}"
            yield text(340, y + 30, name, size=17)
            for row, (seat, mean) in enumerate(entry.mean_by_holder.items()):
                yield text(384, y + 16 + 24 * row, f"with {seat.name.title()}", size=13)
                yield box(462, y + 2 + 24 * row, 60 * mean, 18, BLUE)
                yield text(470 + 60 * mean, y + 16 + 24 * row, f"{mean:.2f}", size=13)

    return picture(650, 180, parts(), "Tricks over all layouts, and the cards that decide")


NODE_WIDTH, NODE_HEIGHT, ROW = 104, 24, 74

Question = tuple[int, int]
"""A node, and how many cards from the one it asks about down."""


def read_one_suit(path: Path) -> tuple[Question, dict[Question, list[int | Question]]]:
    """The diagram of the shape with one suit, number 0, read as docs/formats/endings.md says."""
    data = path.read_bytes()
    (nodes_at,) = struct.unpack_from("<Q", data, 144 + 16)

    def target(edge: int) -> int | Question:
        return (edge >> 6, edge & 15) if edge & 63 else edge >> 6

    root = target(*struct.unpack_from("<I", data, 4096))
    assert isinstance(root, tuple)
    asked: dict[Question, list[int | Question]] = {}
    todo = [root]
    for question in todo:
        if question not in asked:
            edges = struct.unpack_from("<4I", data, nodes_at + 16 * question[0])
            asked[question] = [target(edge) for edge in edges]
            todo += [next_one for next_one in asked[question] if isinstance(next_one, tuple)]
    return root, asked


def draw_diagram(database: EndingDatabase) -> str:
    """The diagram of eight spades, two in each hand."""
    root, asked = read_one_suit(database.level(2).path)
    rows: dict[int, list[Question]] = {}
    for question in asked:
        rows.setdefault(question[1], []).append(question)
    place = {
        question: (410 + (NODE_WIDTH + 44) * (column - (len(row) - 1) / 2), 30 + ROW * line)
        for line, (_, row) in enumerate(sorted(rows.items(), reverse=True))
        for column, question in enumerate(row)
    }

    def parts() -> Iterator[str]:
        cell = NODE_WIDTH / 4
        for question, targets in asked.items():
            x, y = place[question][0] - NODE_WIDTH / 2, place[question][1]
            for owner, leads_to in enumerate(targets):
                if isinstance(leads_to, tuple):
                    to_x, to_y = place[leads_to]
                    yield (
                        f'<line x1="{x + cell * (owner + 0.5):g}" y1="{y + NODE_HEIGHT:g}"'
                        f' x2="{to_x:g}" y2="{to_y - 13:g}" stroke="{BLUE}"/>'
                    )
        for question, targets in asked.items():
            x, y = place[question][0] - NODE_WIDTH / 2, place[question][1]
            yield box(x, y, NODE_WIDTH, NODE_HEIGHT, PALE)
            for owner, leads_to in enumerate(targets):
                middle = x + cell * (owner + 0.5)
                yield text(middle, y - 2, "NESW"[owner], size=10, fill="#777", text_anchor="middle")
                shown = "•" if isinstance(leads_to, tuple) else str(leads_to)
                yield text(middle, y + 18, shown, text_anchor="middle")
        for line, unread in enumerate(sorted(rows, reverse=True)):
            name = f"who has the {'9876543'[root[1] - unread]}?"
            yield text(8, 47 + ROW * line, name, size=12, fill="#777")

    return picture(720, 6 + ROW * len(rows), parts(), "The diagram of one suit, two cards each")


PICTURES = {
    "ending_set.svg": draw_set,
    "ending_probe.svg": draw_probe,
    "ending_query.svg": draw_query,
    "diagram_of_a_suit.svg": draw_diagram,
}
"""By file name."""


def draw_all() -> dict[str, str]:
    """All pictures, from a database of 12 cards built on the way."""
    with tempfile.TemporaryDirectory() as folder:
        for tricks in (1, 2, 3):
            build_diagrams(tricks, level_path(tricks, folder))
        database = EndingDatabase.open(folder)
        return {name: draw(database) for name, draw in PICTURES.items()}


if __name__ == "__main__":
    for file_name, content in draw_all().items():
        Path(__file__).with_name(file_name).write_text(content, "utf-8")
