"""How fast is a large PBN file read, next to endplay?

The file is a tournament of 7,632 games, third-party data beside the project; where it is missing, a
file of the same size is written from seeded random boards.
"""

from __future__ import annotations

import io
import random
import time
from pathlib import Path
from typing import Any

import endplay.parsers.pbn

from setrograde.bridge import Auction, Board, Call, Card, Deal, Hand, Play, Seat
from setrograde.formats.pbn import format_pbn, parse_pbn

REPEATS = 5
FILE = Path(__file__).resolve().parents[2] / "shared/data/realplay/endplay_example3.pbn"


def run() -> dict[str, Any]:
    """CPU seconds, the best of several readings each, taken in turn."""
    data = FILE.read_bytes() if FILE.exists() else random_file()
    text = data.decode("latin-1")
    ours, peer = [], []
    for _ in range(REPEATS):
        start = time.process_time()
        boards = parse_pbn(data)
        ours.append(time.process_time() - start)
        start = time.process_time()
        others = endplay.parsers.pbn.load(io.StringIO(text))
        peer.append(time.process_time() - start)
    return {
        "file": FILE.name if FILE.exists() else "random boards",
        "ours_s": round(min(ours), 3),
        "endplay_s": round(min(peer), 3),
        "ratio": round(min(peer) / min(ours), 2),
        "boards": len(boards),
        "endplay_boards": len(others),
    }


def random_file(games: int = 7632, seed: int = 1) -> bytes:
    """Boards with legal auctions and complete play, as PBN."""
    rng = random.Random(seed)
    return format_pbn([random_board(rng, number % 32 + 1) for number in range(games)])


def random_board(rng: random.Random, number: int) -> Board:
    """One board; the auction goes up at random until it ends."""
    cards = list(Card.ALL)
    rng.shuffle(cards)
    n, e, s, w = (Hand.from_cards(cards[13 * seat : 13 * seat + 13]) for seat in Seat)
    board = Board.numbered(number, Deal((n, e, s, w)))
    assert board.dealer is not None
    assert board.deal is not None
    auction = Auction(board.dealer, (Call.from_text("1C"),))
    while not auction.is_over:
        call = rng.choice(auction.legal_calls()[:8]) if rng.random() < 0.3 else Call.PASS
        auction = auction.with_call(call)
    contract = auction.contract
    assert contract is not None
    play = Play(board.deal, contract.strain, contract.leader)
    while not play.is_over:
        play = play.with_card(rng.choice(play.legal_cards()))
    return Board(
        board.number,
        board.dealer,
        board.vulnerability,
        board.deal,
        auction,
        contract,
        play,
        play.tricks_won(contract.declarer.side),
    )
