"""Reviews as text: a page for each board, and a table of the players."""

from __future__ import annotations

from collections.abc import Sequence

from setrograde.bridge import Board, Card, Seat, Side, Trick
from setrograde.bridge.display import format_hand
from setrograde.bridge.display.parts import (
    COLUMNS,
    board_dealer_seat,
    caption_lines,
    clean,
    is_unknown,
    outcome_words,
    title_line,
    trick_scores,
)
from setrograde.bridge.scoring import imps
from setrograde.common.columns import align_columns
from setrograde.common.words import count_of

from .bidding import points_text
from .board import BoardReview
from .file import Review
from .players import Losses, PlayerReview

__all__ = [
    "auction_rows",
    "contract_line",
    "format_players",
    "format_review",
    "format_reviews",
    "heading",
    "loss_rows",
    "mistake_lines",
    "par_line",
    "player_rows",
    "result_line",
    "trick_rows",
]

_RULE = "-" * 60
_SIDES = {Side.NS: "N-S", Side.EW: "E-W"}
TRICK_LEGEND = "(> led, * won the trick, -1 cost its side a trick double dummy)"


def format_reviews(review: Review) -> str:
    """All boards, then the players.

    >>> print(format_reviews(Review(())))
    No boards to review
    """
    if not review.boards:
        return "No boards to review"
    pages = [format_review(board) for board in review.boards]
    if players := review.players:
        pages.append(format_players(players))
    return f"\n\n{_RULE}\n\n".join(pages)


def format_review(review: BoardReview) -> str:
    """One board: hands, auction, contract, play and result, with what each mistake cost.

    >>> from setrograde.bridge import Deal
    >>> print(format_review(BoardReview(Board.numbered(1), notes=("Not reviewed: no hands.",))))
    Board 1, Dealer North, None vulnerable
    <BLANKLINE>
    Not reviewed: no hands.
    """
    board = review.board
    sections = ["\n".join([heading(board), *_hand_lines(board)])]
    if line := par_line(review):
        sections[0] += f"\n{line}"
    if rows := auction_rows(review):
        sections.append("\n".join(align_columns(rows, least=8)))
    outcome = [*mistake_lines(review, bidding=True), contract_line(review), result_line(review)]
    sections.append("\n".join([line for line in outcome if line]))
    if rows := trick_rows(review):
        sections.append("\n".join([*align_columns(rows, right=(5, 6), least=2), TRICK_LEGEND]))
    sections.append("\n".join(mistake_lines(review, bidding=False)))
    if rows := loss_rows(review):
        sections.append("\n".join(align_columns(rows, right=(1, 2))))
    sections.append("\n".join(review.notes))
    return "\n\n".join([section for section in sections if section])


def heading(board: Board) -> str:
    """Board, dealer, vulnerability, event and room in one line.

    >>> heading(Board.numbered(2))
    'Board 2, Dealer East, N-S vulnerable'
    """
    words = caption_lines(board.number, board_dealer_seat(board), board.vulnerability)
    return ", ".join([*words, title_line(board)]).strip(", ") or "A board without a number"


def _hand_lines(board: Board) -> list[str]:
    """A line for each hand, with the name of its player."""
    names = [clean(board.player(seat) or "") for seat in Seat]
    if board.deal is None:
        return [f"{seat.name.title()}: {names[seat]}" for seat in Seat if names[seat]]
    deal = board.deal.complete()
    rows = []
    for seat in Seat:
        hand = "not known" if is_unknown(deal, seat) else format_hand(deal[seat])
        rows.append([seat.name.title(), hand, names[seat]])
    return align_columns(rows)


def par_line(review: BoardReview) -> str:
    """Par and the contracts that reach it; empty if it is not known."""
    if review.par is None:
        return ""
    found = review.par
    if found.is_passed_out:
        return "Par 0: passed out"
    contracts = found.contract_text.replace(",", ", ")
    return f"Par {points_text(found.score_ns)}: {contracts}"


def auction_rows(review: BoardReview) -> list[list[str]]:
    """The auction in four columns from West; a call that cost points says how many."""
    auction = review.board.auction
    if auction is None or not auction.calls:
        return []
    costs = {call.turn: call.cost_points for call in review.calls if call.is_mistake}
    calls = list(auction)
    is_folded = auction.is_over and not auction.contract_so_far.is_passed_out
    if is_folded and not any(turn in costs for turn in range(len(calls) - 3, len(calls))):
        calls = calls[:-3]
    else:
        is_folded = False
    cells = [""] * COLUMNS.index(auction.dealer)
    for turn, (_, call) in enumerate(calls):
        note = auction.annotation(turn)
        alert = "!" if note is not None and note.alerted else ""
        cost = f" (-{costs[turn]})" if turn in costs else ""
        cells.append(f"{call.pretty}{alert}{cost}")
    if is_folded:
        cells.append("All pass")
    elif not auction.is_over:
        cells.append("?")
    cells += [""] * (-len(cells) % 4)
    rows = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    return [[seat.name.title() for seat in COLUMNS], *rows]


def mistake_lines(review: BoardReview, *, bidding: bool) -> list[str]:
    """A sentence for each call, or for each card, that cost something."""
    if bidding:
        lines = []
        for call in review.wrong_calls:
            side = call.seat.side
            others = [other for other in review.wrong_calls if other.seat.side is side]
            is_first = len(others) > 1 and call is others[0]
            lines.append(f"{call}{f'; {_SIDES[side]} first went wrong here' if is_first else ''}")
        return lines
    lines = [_sentence(str(card)) for card in review.mistakes]
    if review.rest is not None and (review.cards or review.rest.cost_tricks):
        lines.append(_sentence(str(review.rest)))
    if review.cards and not review.mistakes:
        lines.insert(0, "No card cost a trick")
    return lines


def contract_line(review: BoardReview) -> str:
    """What the final contract is worth double dummy, against par."""
    contract, tricks = review.contract, review.tricks_double_dummy
    if contract is None:
        return ""
    if contract.is_passed_out:
        return f"Contract: passed out{_against(review, 0)}"
    if tricks is None:
        return f"Contract: {contract.pretty}"
    worth = f"worth {count_of(tricks, 'trick')} double dummy"
    score = review.contract_score_ns
    if score is None:
        return f"Contract: {contract.pretty}, {worth}"
    return f"Contract: {contract.pretty}, {worth}: {points_text(score)}{_against(review, score)}"


def result_line(review: BoardReview) -> str:
    """What the contract really earned, against par."""
    tricks = review.tricks_declarer
    if review.contract is None or tricks is None or review.contract.is_passed_out:
        return ""
    outcome = outcome_words(tricks - review.contract.tricks_needed)
    words = f"Result: {outcome} ({count_of(tricks, 'trick')})"
    score = review.score_ns
    return words if score is None else f"{words}: {points_text(score)}{_against(review, score)}"


def _against(review: BoardReview, score_ns: int) -> str:
    """How far a score is from par, for the side that gained."""
    if review.par is None:
        return ""
    gain = score_ns - review.par.score_ns
    if gain == 0:
        return ", which is par"
    side = Side.NS if gain > 0 else Side.EW
    won = imps(abs(gain))
    return f", {abs(gain)} points ({count_of(won, 'IMP')}) better than par for {_SIDES[side]}"


def trick_rows(review: BoardReview) -> list[list[str]]:
    """The play trick by trick; a card that cost a trick is followed by the cost."""
    play = review.board.play
    if play is None or not play.cards or not review.cards:
        return []
    costs = {card.card: card.cost_tricks for card in review.mistakes}
    rows = [["", *[seat.name.title() for seat in COLUMNS], "N-S", "E-W"]]
    for number, (trick, winner, (ns, ew)) in enumerate(trick_scores(play), 1):
        cells = [_cell(trick, seat, winner, costs) for seat in COLUMNS]
        rows.append([f"{number:2}", *cells, str(ns), str(ew)])
    return rows


def _cell(trick: Trick, seat: Seat, winner: Seat | None, costs: dict[Card, int]) -> str:
    card = trick.card_of(seat)
    if card is None:
        return ""
    mark = ">" if seat == trick.leader else " "
    cost = f" -{costs[card]}" if card in costs else ""
    return f"{mark}{card.pretty}{'*' if seat == winner else ''}{cost}"


def loss_rows(review: BoardReview) -> list[list[str]]:
    """Points that each side lost, by where; empty if nothing of it is known."""
    ns, ew = review.losses(Side.NS), review.losses(Side.EW)
    is_claim = review.rest is not None and review.rest.is_claim
    rest = "by the claim" if is_claim else "in tricks not recorded"
    rows = [
        [name, str(ours), str(theirs)]
        for name, ours, theirs in (
            ("in the bidding", ns.bidding, ew.bidding),
            ("by cards", ns.cards, ew.cards),
            (rest, ns.rest, ew.rest),
        )
        if ours is not None and theirs is not None
    ]
    is_known = review.board.vulnerability is not None and bool(rows)
    return [["Points lost", "N-S", "E-W"], *rows] if is_known else []


def format_players(players: Sequence[PlayerReview]) -> str:
    """What each player lost, a row each.

    >>> print(format_players([PlayerReview("Nora", 2, Losses(9, 1, 0, 250), Losses(26, 1, 1, 30))]))
    What each player lost, double dummy
          Boards  Bidding  Declarer    Lead  Defence  All cards   Points  a board
                   points    tricks  tricks   tricks     tricks  in play
    Nora       2      250   1 in 26       -        -    1 in 26       30    140.0
    """
    rows = player_rows(players)
    right = range(1, len(rows[0]))
    return "\n".join(["What each player lost, double dummy", *align_columns(rows, right=right)])


def player_rows(players: Sequence[PlayerReview]) -> list[list[str]]:
    """The table of the players, with two rows of headings."""
    rows = [
        ["", "Boards", "Bidding", "Declarer", "Lead", "Defence", "All cards", "Points", "a board"],
        ["", "", "points", *["tricks"] * 4, "in play", ""],
    ]
    for player in players:
        rows.append(
            [
                player.name,
                str(player.boards),
                str(player.bidding.points) if player.bidding.count else "-",
                *map(_lost, (player.declarer, player.lead, player.defence, player.cards)),
                str(player.cards.points),
                f"{player.points / player.boards:.1f}",
            ]
        )
    return rows


def _lost(losses: Losses) -> str:
    return f"{losses.tricks} in {losses.count}" if losses.count else "-"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
