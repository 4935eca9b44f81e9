"""Hypothesis strategies for legal bridge values, shared by all property tests.

Cards are dealt and played by a seeded generator, so that one integer stands for a whole deal: fast,
and counts (cards held, calls made, cards played) still shrink one by one.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Doubling,
    Hand,
    Play,
    Seat,
    Strain,
    TrickTable,
    Vulnerability,
)

__all__ = [
    "annotations",
    "auctions",
    "boards",
    "cards",
    "contracts",
    "deals",
    "hands",
    "names",
    "plays",
    "seats",
    "strains",
    "tables",
    "texts",
    "vulnerabilities",
]

seats = st.sampled_from(Seat)
strains = st.sampled_from(Strain)
cards = st.sampled_from(Card.ALL)
vulnerabilities = st.sampled_from(
    [Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.BOTH]
)
_seeds = st.integers(0, 2**32 - 1)
_WORDS = "abc XYZ09.,:;-+*=#!?'\"()[]{}<>/&%$@~^_|\\éü"


def texts(*, exclude: str = "", max_size: int = 20) -> st.SearchStrategy[str]:
    """Free text of one line without blanks at its ends; never a letter of `exclude`.

    Latin-1 only, so that every format can carry it.
    """
    alphabet = sorted(set(_WORDS) - set(exclude))
    return st.text(alphabet, max_size=max_size).map(lambda text: " ".join(text.split()))


def names(*, exclude: str = "") -> st.SearchStrategy[str]:
    """Like `texts`, but never empty."""
    return texts(exclude=exclude).filter(bool)


def hands(size: int | None = None) -> st.SearchStrategy[Hand]:
    """A hand of `size` cards, or of any number from 0 to 13."""
    sizes = st.integers(0, 13) if size is None else st.just(size)
    return st.builds(
        lambda seed, count: Hand.from_cards(Random(seed).sample(Card.ALL, count)), _seeds, sizes
    )


def _deal(seed: int, size: int) -> Deal:
    dealt = Random(seed).sample(Card.ALL, 4 * size)
    n, e, s, w = (Hand.from_cards(dealt[i * size : (i + 1) * size]) for i in range(4))
    return Deal((n, e, s, w))


def deals(size: int | None = 13) -> st.SearchStrategy[Deal]:
    """Four hands of `size` cards each; `None` for any number from 1 to 13."""
    sizes = st.integers(1, 13) if size is None else st.just(size)
    return st.builds(_deal, _seeds, sizes)


@st.composite
def annotations(draw: st.DrawFn, *, exclude: str = "") -> Annotation:
    """An alert, an explanation or both."""
    alerted = draw(st.booleans())
    text = draw(texts(exclude=exclude) if alerted else names(exclude=exclude))
    return Annotation(alerted, text)


@st.composite
def auctions(
    draw: st.DrawFn,
    *,
    dealer: Seat | None = None,
    over: bool | None = None,
    annotated: bool = True,
    exclude: str = "",
) -> Auction:
    """Legal calls in turn; `over` says whether the auction has ended, `None` either way.

    An auction that is not over has at least one call.
    """
    auction = Auction(draw(seats) if dealer is None else dealer)
    ends = draw(st.booleans()) if over is None else over
    steps = draw(st.integers(0 if ends else 1, 12))
    rng = Random(draw(_seeds))
    for _ in range(steps):
        legal = auction.legal_calls()
        bids = [call for call in legal if call.is_bid][:7]
        after = auction.with_call(Call.PASS) if legal else auction
        may_pass = [] if after.is_over or not legal else [Call.PASS] * 4
        choices = [call for call in legal[1:] if not call.is_bid] * 3 + may_pass + bids
        if not choices:
            break
        auction = auction.with_call(rng.choice(choices))
    while ends and not auction.is_over:
        auction = auction.with_call(Call.PASS)
    if annotated and draw(st.booleans()):
        notes = tuple(
            draw(st.none() | annotations(exclude=exclude)) if rng.random() < 0.4 else None
            for _ in auction.calls
        )
        if any(notes):
            auction = Auction(auction.dealer, auction.calls, notes)
    return auction


@st.composite
def contracts(draw: st.DrawFn, *, passed_out: bool = True) -> Contract:
    """Any contract; a board passed out now and then unless forbidden."""
    level = draw(st.integers(0 if passed_out else 1, 7))
    if level == 0:
        return Contract.PASSED_OUT
    return Contract(level, draw(strains), draw(seats), draw(st.sampled_from(Doubling)))


@st.composite
def plays(
    draw: st.DrawFn,
    *,
    deal: Deal | None = None,
    strain: Strain | None = None,
    leader: Seat | None = None,
    claims: bool = True,
) -> Play:
    """Legal cards in turn, from none to all; a claim now and then if not all were played."""
    deal = draw(deals()) if deal is None else deal
    strain = draw(strains) if strain is None else strain
    leader = draw(seats) if leader is None else leader
    count = draw(st.just(len(deal)) | st.integers(0, len(deal)))
    play = _random_play(Play(deal, strain, leader), count, Random(draw(_seeds)))
    if claims and not play.is_over and draw(st.booleans()):
        won = play.tricks_won(leader.next.side)
        lost = play.tricks_won(leader.side)
        play = play.claim(draw(st.integers(won, len(deal) // 4 - lost)))
    return play


def _random_play(start: Play, count: int, rng: Random) -> Play:
    """`count` legal cards from `start`, tracked here because `Play` recomputes its tricks."""
    held = {seat: list(start.deal[seat]) for seat in Seat}
    played: list[Card] = []
    turn, trick = start.leader, Play(start.deal, start.strain, start.leader)
    for number in range(count):
        if number % 4 == 0 and number:
            trick = Play(start.deal, start.strain, start.leader, tuple(played))
            turn = trick.turn
        lead = played[number - number % 4] if number % 4 else None
        following = [card for card in held[turn] if lead and card.suit == lead.suit]
        card = rng.choice(following or held[turn])
        held[turn].remove(card)
        played.append(card)
        turn = turn.next
    return Play(start.deal, start.strain, start.leader, tuple(played))


def tables() -> st.SearchStrategy[TrickTable]:
    """Twenty numbers of tricks, not of any deal."""

    def build(seed: int) -> TrickTable:
        rng = Random(seed)
        return TrickTable.from_function(lambda seat, strain: rng.randint(0, 13))

    return st.builds(build, _seeds)


@st.composite
def boards(
    draw: st.DrawFn,
    *,
    exclude: str = "",
    dealt: bool = False,
    with_table: bool = True,
    with_tags: bool = True,
) -> Board:
    """A consistent board: contract of the auction, play of the contract, result of the play.

    Whatever may be unknown is sometimes `None`. `exclude` lists letters no text may contain;
    `dealt` asks for a full deal, a dealer and a vulnerability. Tags have PBN names (`Stage`).
    """
    dealer = draw(seats if dealt else st.none() | seats)
    deal = draw(deals() if dealt else st.none() | deals())
    auction = (
        draw(st.none() | auctions(dealer=dealer, exclude=exclude)) if dealer is not None else None
    )
    contract = draw(st.none() | contracts()) if auction is None else auction.contract
    play = tricks = None
    if contract is not None and not contract.is_passed_out:
        if deal is not None:
            play = draw(
                st.none() | plays(deal=deal, strain=contract.strain, leader=contract.leader)
            )
        tricks = _result(draw, contract, play)
    one_name = st.none() | names(exclude=exclude)
    return Board(
        number=draw(st.none() | st.integers(1, 200)),
        dealer=dealer,
        vulnerability=draw(vulnerabilities if dealt else st.none() | vulnerabilities),
        deal=deal,
        auction=auction,
        contract=contract,
        play=play,
        tricks_declarer=tricks,
        players=draw(st.tuples(one_name, one_name, one_name, one_name)),
        event=draw(one_name),
        site=draw(one_name),
        date=draw(st.none() | st.sampled_from(["2026.08.01", "1999.12.??", "2001.??.??"])),
        room=draw(st.sampled_from([None, "Open", "Closed"])),
        scoring=draw(st.sampled_from([None, "IMP", "MP", "Rubber"])),
        table=draw(st.none() | tables()) if with_table else None,
        tags=draw(_tags(exclude)) if with_tags else {},
    )


def _result(draw: st.DrawFn, contract: Contract, play: Play | None) -> int | None:
    if play is None:
        return draw(st.none() | st.integers(0, 13))
    if play.is_over:
        return play.tricks_won(contract.declarer.side)
    if play.claimed_by_declarer is not None:
        return play.claimed_by_declarer
    return None


def _tags(exclude: str) -> st.SearchStrategy[dict[str, str]]:
    keys = st.sampled_from(["Stage", "HomeTeam", "VisitTeam", "Annotator", "Competition"])
    return st.dictionaries(keys, names(exclude=exclude), max_size=3)
