"""`setrograde db probe` and `db query`: ask about one position, or about a set of deals."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from setrograde.bridge import InvalidInput, Play, Seat, Strain
from setrograde.cli.common import add_format_options, add_json_option, print_json, show_share
from setrograde.cli.options import add_data_option
from setrograde.cli.positions import add_deal_arguments, print_text, the_position
from setrograde.cli.values import answer_to_dict, format_cards, format_situation, format_totals
from setrograde.db.card_comparison import compare_cards
from setrograde.db.database import DecisiveCard, EndingDatabase, Probe, SetValue
from setrograde.db.deal_sets import DealSet
from setrograde.db.display import describe_set, format_histogram, format_set
from setrograde.db.methods.sharded_build import MAX_SHARDED_TRICKS

from .compare import comparison_to_dict

__all__ = ["add_probe_parser", "add_query_parser", "run_probe", "run_query"]

_PROBE = """\
Look up an ending: the value of every legal card when all four hands are seen and played perfectly,
and the set of deals that the database files the ending under. All deals of that set give the same
number of tricks. In the middle of a trick give the hands before the trick, and --played."""

_PROBE_EPILOG = """\
examples:
  setrograde db probe "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader S
  setrograde db probe "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader W --played "S6 SQ\""""

_QUERY = """\
Ask what all deals of a set are worth: the fewest and the most tricks of North-South, the number of
deals for each number of tricks, and the cards that decide. Every deal is counted, none is sampled.
A set has one word for each group of cards:

  SA=N      North has the ace of spades
  SKQ=NS    each of king and queen is with North or South
  HJT=-E    neither jack nor ten is with East
  D432=x    anyone may have them, each for itself
  E.H>=2    East has two hearts or more; also <= and ="""

_QUERY_EPILOG = """\
examples:
  setrograde db query "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW" --strain NT --leader S
  setrograde db query "SAQ=N SK=EW S54=S S63=EW HA=E" --strain NT --leader S --by-card
  setrograde db query "SAKQJ=x HAKQJ=x" --strain H --leader W --no-decisive --json"""


def add_probe_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db probe`."""
    parser = commands.add_parser(
        "probe",
        help="look up the value of every legal card of an ending",
        description=_PROBE,
        epilog=_PROBE_EPILOG,
    )
    add_deal_arguments(parser)
    parser.add_argument("--strain", metavar="S", help="trumps: C, D, H, S, or NT for none")
    parser.add_argument("--leader", metavar="W", help="who leads to the first trick: N, E, S or W")
    parser.add_argument(
        "--played", default="", metavar="CARDS", help='cards played from DEAL so far, like "SA S3"'
    )
    add_data_option(parser)
    add_format_options(parser)
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run_probe)


def add_query_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db query`."""
    parser = commands.add_parser(
        "query", help="ask what a set of deals is worth", description=_QUERY, epilog=_QUERY_EPILOG
    )
    parser.add_argument("set", metavar="SET", help="the cards and who may have them, in quotes")
    parser.add_argument(
        "--strain", required=True, metavar="S", help="trumps: C, D, H, S, or NT for none"
    )
    parser.add_argument("--leader", required=True, metavar="W", help="who leads: N, E, S or W")
    parser.add_argument(
        "--decisive",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also say which cards decide (default), which takes longer for large sets",
    )
    parser.add_argument(
        "--by-card",
        action="store_true",
        help="also compare the leader's cards, each over the deals in which he has it",
    )
    add_data_option(parser)
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="print letters instead of suit symbols, for plain terminals",
    )
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run_query)


def run_probe(args: argparse.Namespace) -> int:
    """Look up one position."""
    play = the_position(args).play
    database = _load(args.data, _levels_for(play))
    probe = database.probe(play.deal, play.strain, play.leader, played=play.cards)
    deals = 0 if probe.deals is None else _size(database, play, probe.deals)
    if args.json:
        print_json(_probe_to_dict(play, probe, deals))
    else:
        print_text("\n\n".join(_probe_sections(play, probe, deals)), ascii=args.ascii)
    return 0


def _load(directory: str | None, needed: Sequence[int]) -> EndingDatabase:
    """Open the levels with these numbers of tricks."""
    for tricks in needed:
        if tricks > MAX_SHARDED_TRICKS:
            raise InvalidInput(
                f"no endings with {4 * tricks} cards (expected {4 * MAX_SHARDED_TRICKS} at most;"
                " setrograde solve takes more)"
            )
    return EndingDatabase.open(directory, tricks=needed)


def _levels_for(play: Play) -> list[int]:
    """Tricks of the levels that a probe reads."""
    if play.is_over:
        return []
    tricks = max(len(hand) for hand in play.remaining)
    below = [] if tricks == 1 else [tricks - 1]
    return below if play.current_trick.cards else [tricks, *below]


def _size(database: EndingDatabase, play: Play, deals: DealSet) -> int:
    return database.query(deals, play.strain, play.turn).deals


def _probe_to_dict(play: Play, probe: Probe, deals: int) -> dict[str, Any]:
    answer = answer_to_dict(play, probe, probe.cards)
    answer["tricks"] = probe.cards[0].tricks if probe.cards else 0
    answer["set"] = None
    if probe.deals is not None:
        answer["set"] = {
            "text": probe.deals.to_text(),
            "words": describe_set(probe.deals),
            "deals": deals,
        }
    return answer


def _probe_sections(play: Play, probe: Probe, deals: int) -> list[str]:
    """The answer in paragraphs."""
    sections = [f"{format_situation(play)}\n{format_totals(play, probe)}"]
    if probe.cards:
        sections.append(format_cards(play.turn.side, probe.cards))
    if probe.deals is not None:
        many = (
            f"All {deals:,} deals of this set give" if deals > 1 else "This set of one deal gives"
        )
        sections += [
            f"{many} the same tricks:\n{format_set(probe.deals)}",
            f"In words: {describe_set(probe.deals)}.\nAs a set: {probe.deals}",
        ]
    return sections


def run_query(args: argparse.Namespace) -> int:
    """Ask about one set."""
    deals = DealSet.from_text(args.set)
    strain, leader = Strain.from_text(args.strain), Seat.from_text(args.leader)
    database = _load(args.data, [deals.tricks])
    value = database.query(deals, strain, leader)
    decisive = database.decisive_cards(deals, strain, leader) if args.decisive else None
    compared = None
    if args.by_card:
        with show_share("comparing cards") as show:
            compared = compare_cards(deals, strain, leader, progress=show)
    if args.json:
        answer = _query_to_dict(deals, strain, leader, value, decisive)
        print_json(answer if compared is None else answer | comparison_to_dict(compared))
    else:
        sections = _query_sections(strain, leader, value, decisive)
        if compared is not None:
            sections.append(str(compared))
        print_text("\n\n".join(sections), ascii=args.ascii)
    return 0


def _query_to_dict(
    deals: DealSet,
    strain: Strain,
    leader: Seat,
    value: SetValue,
    decisive: Sequence[DecisiveCard] | None,
) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "set": deals.to_text(),
        "strain": str(strain),
        "leader": str(leader),
        "deals": value.deals,
        "shapes": value.shapes,
        "min": value.min,
        "max": value.max,
        "mean": value.mean,
        "histogram": {str(tricks): count for tricks, count in value.histogram.items()},
    }
    if decisive is not None:
        answer["decisive"] = [
            {
                "card": str(entry.card),
                "share": entry.share,
                "holders": {
                    str(seat): {"deals": entry.deals_by_holder[seat], "mean": mean}
                    for seat, mean in entry.mean_by_holder.items()
                },
            }
            for entry in decisive
        ]
    return answer


def _query_sections(
    strain: Strain, leader: Seat, value: SetValue, decisive: Sequence[DecisiveCard] | None
) -> list[str]:
    """The answer in paragraphs."""
    trumps = "Notrump" if strain is Strain.NOTRUMP else f"{strain.symbol} trumps"
    deals = f"{value.deals:,} deal{'s' if value.deals > 1 else ''}"
    sections = [
        f"{trumps}, {leader.name.title()} leads; {deals}\n{value.range_text}",
        format_histogram(value.histogram),
    ]
    if decisive is not None and value.min < value.max:
        sections.append(_decisive_words(decisive))
    return sections


def _decisive_words(decisive: Sequence[DecisiveCard], *, most: int = 5) -> str:
    """The cards that explain most, touching ones of the same kind together."""
    groups = groupby(
        [entry for entry in decisive if entry.share > 0.0005],
        key=lambda entry: (entry.card.suit, entry.mean_by_holder, entry.deals_by_holder),
    )
    lines = []
    for (suit, means, _), group in groups:
        entries = list(group)
        cards = suit.symbol + "".join([entry.card.rank.letter for entry in entries])
        each = " each" if len(entries) > 1 else ""
        words = [f"with {seat.name.title()} {mean:.2f}" for seat, mean in means.items()]
        words[0] += " tricks on average"
        lines.append(f"  {cards}  {entries[0].share:.1%}{each}: {', '.join(words)}")
    if not lines:
        return "No single card decides anything: its holder does not change the average tricks."
    more = [f"  and {len(lines) - most} more"] if len(lines) > most else []
    head = "What decides it (share of the differences in tricks that the card's holder explains):"
    return "\n".join([head, *lines[:most], *more])
