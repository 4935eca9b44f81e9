"""One played board reviewed double dummy: auction, contract, cards, result against par."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from setrograde.analysis.par import Par, par
from setrograde.bridge import (
    Board,
    Contract,
    Deal,
    InvalidDeal,
    Play,
    Seat,
    Side,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.display.parts import board_contract, board_dealer_seat, board_tricks
from setrograde.bridge.scoring import score_board
from setrograde.common.stop import StopFlag
from setrograde.solve.double_dummy import Solver

from .bidding import CallReview, review_calls
from .play import CardReview, Rest, review_cards, review_rest
from .players import PlayerReview, players_of_board

__all__ = ["BoardReview", "SideLosses", "review_board"]


@dataclass(frozen=True, slots=True)
class SideLosses:
    """Points that one side lost, by where; `None` where that cannot be told.

    >>> SideLosses(bidding=250, cards=50, rest=0).points
    300
    """

    bidding: int | None
    """By calls."""

    cards: int | None
    """By cards."""

    rest: int | None
    """In a claim, or in tricks for which no cards are recorded."""

    @property
    def points(self) -> int:
        """All that is known, added up."""
        return (self.bidding or 0) + (self.cards or 0) + (self.rest or 0)


@dataclass(frozen=True, slots=True)
class BoardReview:
    """A board with what every call and every card cost.

    Par, minus what North-South lost, plus what East-West lost, is the score; see `losses`.
    """

    board: Board
    """The board as it was played."""

    table: TrickTable | None = None
    """The 20 double-dummy results; `None` if the hands are not known."""

    par: Par | None = None
    """Par; `None` unless hands, dealer and vulnerability are known."""

    contract: Contract | None = None
    """The final contract, if it is known."""

    tricks_double_dummy: int | None = None
    """Declarer's tricks in this contract when both sides play perfectly."""

    tricks_declarer: int | None = None
    """Declarer's tricks as they came about."""

    calls: tuple[CallReview, ...] = ()
    """Every call; empty where the auction cannot be reviewed."""

    cards: tuple[CardReview, ...] = ()
    """Every card; empty where the play cannot be reviewed."""

    rest: Rest | None = None
    """The claim, or the result where the play stops before the end."""

    notes: tuple[str, ...] = ()
    """What could not be reviewed, and why; a sentence each."""

    @property
    def contract_score_ns(self) -> int | None:
        """Points of North-South for the contract with its double-dummy tricks."""
        return self._score_ns(self.tricks_double_dummy)

    @property
    def score_ns(self) -> int | None:
        """Points of North-South as they came about."""
        return self._score_ns(self.tricks_declarer)

    def _score_ns(self, tricks: int | None) -> int | None:
        vulnerability = self.board.vulnerability
        if self.contract is None:
            return None
        if self.contract.is_passed_out:
            return 0
        if tricks is None or vulnerability is None or not self._is_full:
            return None
        return score_board(self.contract, tricks, vulnerability)

    @property
    def _is_full(self) -> bool:
        """False for endings, whose contracts have no score."""
        deal = self.board.deal
        return deal is None or deal.complete().is_full

    @property
    def against_par_ns(self) -> int | None:
        """Points of North-South above par (negative: below)."""
        if self.par is None or self.score_ns is None:
            return None
        return self.score_ns - self.par.score_ns

    @property
    def mistakes(self) -> tuple[CardReview, ...]:
        """The cards that cost a trick."""
        return tuple(card for card in self.cards if card.is_mistake)

    @property
    def wrong_calls(self) -> tuple[CallReview, ...]:
        """The calls that cost points."""
        return tuple(call for call in self.calls if call.is_mistake)

    def went_wrong(self, side: Side) -> CallReview | None:
        """The first call after which the best that `side` could reach was less than before."""
        return next((call for call in self.wrong_calls if call.seat.side is side), None)

    @property
    def players(self) -> tuple[PlayerReview, ...]:
        """What each player lost: North, East, South, West."""
        return players_of_board(self.board, self.calls, self.cards)

    def losses(self, side: Side) -> SideLosses:
        """Points that `side` lost in the bidding, by its cards and in the tricks not recorded."""
        bidding = sum(c.cost_points for c in self.calls if c.seat.side is side)
        cards = [c.cost_points for c in self.cards if c.seat.side is side]
        rest = None
        if self.rest is not None and self.rest.cost_points is not None:
            rest = self.rest.cost_points if self.rest.side is side else 0
        return SideLosses(
            bidding if self.calls else None,
            sum(cost for cost in cards if cost is not None) if self.cards else None,
            rest,
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it; the keys do not change between versions."""
        from .to_json import board_review_to_dict

        return board_review_to_dict(self)

    def __str__(self) -> str:
        from .text import format_review

        return format_review(self)

    def _repr_html_(self) -> str:
        from .html import review_html

        return review_html(self)


def review_board(
    board: Board,
    *,
    solver: Solver | None = None,
    table: TrickTable | None = None,
    stop: StopFlag | None = None,
) -> BoardReview:
    """Review one board. `solver` and `table` save work where they are at hand.

    A board is never refused: what cannot be reviewed is said in `notes`. Raises `Stopped` once the
    flag `stop` is set.

    >>> from dataclasses import replace
    >>> deal = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
    >>> board = replace(Board.numbered(1, Deal.from_pbn(deal)),
    ...                 contract=Contract.from_text("2NTN"), tricks_declarer=9)
    >>> review = review_board(board)
    >>> review.par.score_ns, review.contract_score_ns, review.against_par_ns
    (400, 150, -250)
    """
    contract = board_contract(board)
    tricks = _tricks(board)
    notes: list[str] = []
    try:
        deal = _deal(board)
    except InvalidDeal as error:
        return BoardReview(
            board, contract=contract, tricks_declarer=tricks, notes=(f"Not reviewed: {error}.",)
        )
    solver = Solver() if solver is None else solver
    table = solver.table(deal, stop=stop) if table is None else table
    dealer, vulnerability = board_dealer_seat(board), board.vulnerability
    found = None
    if not deal.is_full:
        notes.append(f"No par and no points: the hands have {len(deal) // 4} cards each.")
        vulnerability = None
    elif vulnerability is None:
        notes.append("No par and no points: the vulnerability is not known.")
    elif dealer is None:
        notes.append("No par: the dealer is not known.")
    else:
        found = par(table, dealer, vulnerability)
    calls = _calls(board, table, vulnerability, notes)
    play = _play(board, deal, contract, notes)
    strain, declarer = _declared(contract, play)
    if contract is None and play is None:
        notes.append("No contract is recorded, so there is no play to review.")
    if declarer is None or strain is None:
        return BoardReview(board, table, found, contract, None, None, calls, notes=tuple(notes))
    value = table.tricks(declarer, strain)
    cards = () if play is None else review_cards(play, solver, contract, vulnerability, stop=stop)
    rest = None
    left = len(deal) - len(cards)
    if tricks is None:
        notes.append("The result is not known.")
    elif left or tricks != cards[-1].tricks_after:
        if not left:
            notes.append(
                f"The result is recorded as {tricks} tricks for declarer, but the cards give"
                f" {cards[-1].tricks_after}."
            )
        elif play is not None and not _is_possible(play, tricks):
            notes.append(
                f"The result is recorded as {tricks} tricks for declarer, which the cards played"
                " do not allow."
            )
        last = cards[-1].tricks_after if cards else value
        rest = review_rest(play, declarer, last, tricks, left, contract, vulnerability)
    return BoardReview(
        board, table, found, contract, value, tricks, calls, cards, rest, tuple(notes)
    )


def _deal(board: Board) -> Deal:
    """The four hands, a missing one filled in."""
    deal = board.deal
    if deal is None and board.play is not None:
        deal = board.play.deal
    if deal is None:
        raise InvalidDeal("the hands are not recorded")
    deal = deal.complete()
    lengths = [len(hand) for hand in deal]
    if not any(lengths):
        raise InvalidDeal("the hands have no cards")
    if len(set(lengths)) > 1:
        held = ", ".join([f"{seat.name.title()} {len(deal[seat])}" for seat in Seat])
        raise InvalidDeal(f"the hands differ in length ({held})")
    return deal


def _tricks(board: Board) -> int | None:
    """Declarer's tricks, if they are possible."""
    tricks = board_tricks(board)
    return tricks if tricks is not None and 0 <= tricks <= 13 else None


def _is_possible(play: Play, tricks: int) -> bool:
    """True if declarer can still end up with that number of tricks."""
    won, lost = play.tricks_won(play.leader.next.side), play.tricks_won(play.leader.side)
    return won <= tricks <= len(play.deal) // 4 - lost


def _calls(
    board: Board, table: TrickTable, vulnerability: Vulnerability | None, notes: list[str]
) -> tuple[CallReview, ...]:
    auction = board.auction
    if auction is None or not auction.calls:
        return ()
    ended = auction.contract
    if board.contract is not None and ended is not None and board.contract != ended:
        notes.append(
            f"The contract is recorded as {board.contract.pretty}, but the auction ends in"
            f" {ended.pretty}."
        )
    if vulnerability is None:
        return ()
    return review_calls(auction, table, vulnerability)


def _play(board: Board, deal: Deal, contract: Contract | None, notes: list[str]) -> Play | None:
    """The play, if it has cards and fits the deal and the contract."""
    play = board.play
    if play is None or not play.cards:
        return None
    why = None
    if play.deal.complete() != deal:
        why = "its cards come from another deal"
    elif contract is not None and contract.is_passed_out:
        why = "the board was passed out"
    elif contract is not None and play.strain is not contract.strain:
        why = f"it is played in {play.strain.symbol}, the contract is {contract.pretty}"
    elif contract is not None and play.leader is not contract.leader:
        leader = play.leader.name.title()
        why = f"{leader} leads, the contract is {contract.pretty}"
    if why is not None:
        notes.append(f"The play is not reviewed: {why}.")
        return None
    if play.deal != deal:
        return Play(deal, play.strain, play.leader, play.cards, play.claimed_by_declarer)
    return play


def _declared(contract: Contract | None, play: Play | None) -> tuple[Strain | None, Seat | None]:
    """Strain and declarer; `None` if the board was passed out or nothing is known."""
    if contract is not None:
        if contract.is_passed_out:
            return None, None
        return contract.strain, contract.declarer
    if play is not None:
        return play.strain, play.leader.next_by(3)
    return None, None
