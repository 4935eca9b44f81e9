"""All boards of an evening reviewed, and what each player lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from setrograde.bridge import Board, Deal, InvalidInput, Seat
from setrograde.bridge.display.parts import board_contract, board_dealer_seat, board_tricks
from setrograde.common.memory import check_limit_mb, share_mb
from setrograde.common.progress import ShareProgress
from setrograde.common.stop import StopFlag
from setrograde.common.threads import map_with_contexts, thread_count
from setrograde.solve.double_dummy import Solver

from .board import BoardReview, review_board
from .players import PlayerReview, player_name, players_of_boards
from .to_json import SCHEMA_VERSION

__all__ = ["Review", "review_boards", "review_results"]


@dataclass(frozen=True, slots=True)
class Review:
    """The reviews of many boards.

    >>> len(Review(()).players)
    0
    """

    boards: tuple[BoardReview, ...]
    """In the order given."""

    player: str | None = None
    """The one player that the review is about, or `None` for all."""

    @property
    def players(self) -> tuple[PlayerReview, ...]:
        """What each player lost on all boards; whoever lost least points a board comes first.

        Only boards with a call or a card to review count for a player.
        """
        found = players_of_boards(
            player
            for review in self.boards
            if review.calls or review.cards
            for player in review.players
        )
        mine = [p for p in found if self.player is None or p.name == self.player]
        return tuple(sorted(mine, key=lambda p: p.points / p.boards))

    def of_player(self, name: str) -> Review:
        """Only the boards that one player sat at; part of a name is enough if it is clear.

        >>> Review(()).of_player("Nora")
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: no player 'Nora' (there are no players)
        """
        names = list(
            dict.fromkeys(player.name for review in self.boards for player in review.players)
        )
        chosen = find_player(name, names)
        boards = [review for review in self.boards if chosen in {p.name for p in review.players}]
        return Review(tuple(boards), chosen)

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it: `schema`, `boards` and `players`; keys stay between versions."""
        return {
            "schema": SCHEMA_VERSION,
            "boards": [review.to_dict() for review in self.boards],
            "players": [player.to_dict() for player in self.players],
        }

    def __str__(self) -> str:
        from .text import format_reviews

        return format_reviews(self)

    def _repr_html_(self) -> str:
        from .html import reviews_html

        return reviews_html(self)


def find_player(name: str, names: Sequence[str]) -> str:
    """The one of `names` that is meant: the same in either case, or the only one it is part of.

    >>> find_player("knob", ["Markus Knob", "Kasper Konow"])
    'Markus Knob'
    """
    wanted = name.strip().casefold()
    same = [known for known in names if known.casefold() == wanted]
    if not same and wanted:
        same = [known for known in names if wanted in known.casefold()]
    if len(same) == 1:
        return same[0]
    listed = ", ".join((same or names)[:8]) + (", ..." if len(same or names) > 8 else "")
    if same:
        raise InvalidInput(f"several players are called {name!r}: {listed}")
    there = f"expected one of {listed}" if names else "there are no players"
    raise InvalidInput(f"no player {name!r} ({there})")


def review_boards(
    boards: Iterable[Board],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    player: str | None = None,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> Review:
    """Review many boards on all cores (or `threads`).

    With `player`, only the boards of that player are reviewed; part of a name is enough if it is
    clear. A deal that was played at several tables is solved once. `progress` hears which share of
    the deals is done. The flag `stop` ends the work with `Stopped`.

    >>> text = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
    >>> deal = Deal.from_pbn(text)
    >>> review = review_boards([Board.numbered(1, deal), Board.numbered(2, deal)])
    >>> [board.par.score_ns for board in review.boards]
    [400, 600]
    """
    boards = tuple(boards)
    if player is not None:  # found before the work
        names = [[player_name(board, seat) for seat in Seat] for board in boards]
        player = find_player(player, list(dict.fromkeys(name for four in names for name in four)))
        boards = tuple(board for board, four in zip(boards, names, strict=True) if player in four)
    places: dict[Deal | None, list[int]] = {}
    for place, board in enumerate(boards):
        places.setdefault(board.deal, []).append(place)
    tasks = list(places.values())
    each_mb, workers = share_mb(
        check_limit_mb(limit_mb, least=16), min(thread_count(threads), max(1, len(tasks))), least=16
    )

    def open_context() -> Reviewer:
        return Reviewer(boards, Solver(limit_mb=each_mb), stop)

    def tell(done: int) -> None:
        if progress is not None and tasks:
            progress(done / len(tasks))

    answers = map_with_contexts(tasks, open_context, threads=workers, progress=tell, stop=stop)
    reviews: list[BoardReview | None] = [None] * len(boards)
    for task, answer in zip(tasks, answers, strict=True):
        for place, review in zip(task, answer, strict=True):
            reviews[place] = review
    return Review(tuple(review for review in reviews if review is not None), player)


def review_results(
    boards: Iterable[Board],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> Review:
    """As `review_boards`, but only table, par, contract and result: no calls and no cards.

    >>> from setrograde.bridge import Contract
    >>> text = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
    >>> board = Board.numbered(1, Deal.from_pbn(text))
    >>> board = replace(board, contract=Contract.from_text("3NTN"), tricks_declarer=10)
    >>> review_results([board]).boards[0].against_par_ns
    30
    """
    shorter = [
        replace(
            board,
            deal=board.play.deal if board.deal is None and board.play is not None else board.deal,
            dealer=board_dealer_seat(board),
            contract=board_contract(board),
            tricks_declarer=board_tricks(board),
            auction=None,
            play=None,
        )
        for board in boards
    ]
    return review_boards(shorter, threads=threads, limit_mb=limit_mb, progress=progress, stop=stop)


@dataclass(frozen=True, slots=True)
class Reviewer:
    """One thread's solver, kept from deal to deal."""

    boards: Sequence[Board]
    """All boards."""

    solver: Solver
    """Its table stays warm for all boards of one deal."""

    stop: StopFlag | None
    """Ends the work."""

    def __call__(self, places: Sequence[int]) -> list[BoardReview]:
        """Review the boards at `places`, which share one deal; its table is solved once."""
        reviews: list[BoardReview] = []
        table = None
        for place in places:
            review = review_board(
                self.boards[place], solver=self.solver, table=table, stop=self.stop
            )
            if self.boards[place].deal is not None:
                table = review.table
            reviews.append(review)
        return reviews
