"""`setrograde db mine`: endings with something to see in them."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from setrograde.bridge import InvalidInput, Play, Seat, Strain
from setrograde.bridge.display import format_deal, format_play
from setrograde.cli.common import add_json_option, print_json, show_share, write_output
from setrograde.cli.positions import number_between, print_text
from setrograde.cli.values import format_cards, format_situation
from setrograde.db.deal_sets import DealSet
from setrograde.db.mining.mine import (
    Mine,
    MinedCount,
    MinedEnding,
    MinedEstimate,
    Property,
    mine,
)

from .gallery import gallery_page
from .options import number_of_cards

__all__ = ["add_mine_parser", "ending_to_dict", "format_ending", "run_mine"]

_DESCRIPTION = """\
Look for endings with something to see in them: among all endings with a number of cards, or in a
set of deals. They are counted exactly, and each one shown is solved again without databases.
Properties:

  lead-costs      whoever must lead loses by it: each side takes fewer tricks if any of its own
                  players leads than if any of the other side's does
  only-card       just one of the leader's cards is best, touching cards counted as one
  low-beats-high  a lower card of a suit is better than a higher one of the same hand
  only-low        just one card is best, and the leader has a higher one of its suit
  unblock         the leader may cash the highest card of a suit, and a defender must not follow
                  with his lowest

No database is needed. 12 cards take a second, 16 a minute or two; 20 take an hour or more, so use
--estimate for them. Without --limit, --sample or --sharpest the sharpest ending is shown: the one
with most tricks at stake, and of those the one with the fewest cards that are best."""

_EPILOG = """\
examples:
  setrograde db mine lead-costs --cards 8 --sample 3 --seed 1
  setrograde db mine only-card --cards 12 --strain NT --cost 2 --count
  setrograde db mine unblock --cards 12 --limit 100 --lines
  setrograde db mine only-card --set "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW" --strain NT --leader S
  setrograde db mine --gallery gallery.md --cards 12"""


def add_mine_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "mine",
        help="find endings with something to see in them",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "property",
        nargs="?",
        choices=[str(kind) for kind in Property],
        metavar="PROPERTY",
        help="one of the properties above; none for a gallery, which has all",
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--cards",
        type=number_of_cards,
        metavar="N",
        help="search all endings with N cards, 4 to 20",
    )
    where.add_argument("--set", metavar="SET", help="search the deals of a set, as in db query")
    _add_filters(parser)
    _add_outputs(parser)
    parser.set_defaults(run=run_mine)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which endings")
    group.add_argument(
        "--strain",
        metavar="S",
        help="NT or trumps (default: both); for a set C, D, H, S or NT",
    )
    group.add_argument("--leader", metavar="W", help="for a set, who leads: N, E, S or W")
    group.add_argument(
        "--cost",
        type=number_between(1, 13),
        default=1,
        metavar="N",
        help="at least N tricks at stake (default %(default)s)",
    )
    group.add_argument(
        "--tricks", type=number_between(0, 13), metavar="N", help="the leader's side takes N tricks"
    )
    group.add_argument(
        "--lengths", metavar="L", help="lengths of the leader's suits, like 2-1-1, in any order"
    )
    group.add_argument(
        "--choices",
        type=number_between(2, 13),
        default=2,
        metavar="N",
        help="at least N cards to choose from, touching ones as one (default %(default)s); for"
        " properties of cards",
    )
    group.add_argument(
        "--holding",
        type=number_between(1, 13),
        default=13,
        metavar="N",
        help="at most N of these cards are best (default %(default)s); for properties of cards",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is shown").add_mutually_exclusive_group()
    group.add_argument(
        "--sharpest",
        type=number_between(1, 10_000),
        metavar="N",
        help="show the N sharpest endings",
    )
    group.add_argument(
        "--sample",
        type=number_between(1, 1_000_000),
        metavar="N",
        help="show N random endings, each ending as likely as any other",
    )
    group.add_argument(
        "--limit",
        type=number_between(1, 999_999_999),
        metavar="N",
        help="show the first N endings that are found, shape by shape; nothing is counted",
    )
    group.add_argument("--count", action="store_true", help="only count the endings")
    group.add_argument(
        "--gallery",
        metavar="OUT",
        help="write a page with counts and the sharpest endings of all properties and sizes",
    )
    parser.add_argument(
        "--estimate",
        type=number_between(2, 1_000_000),
        metavar="N",
        help="only estimate the count, from N random shapes; in a gallery, estimate the counts of"
        " the next size",
    )
    parser.add_argument(
        "--seed",
        type=number_between(0, 999_999_999),
        default=0,
        metavar="K",
        help="seed of the random choices (default %(default)s)",
    )
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once (default: all)",
    )
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="print letters instead of suit symbols, for plain terminals",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--lines", action="store_true", help="print each ending as a line of JSON, as it is found"
    )
    add_json_option(output, "counts and endings")


def run_mine(args: argparse.Namespace) -> int:
    """Mine, and show what was found."""
    if args.gallery is not None:
        return _run_gallery(args)
    if args.property is None:
        raise InvalidInput(f"no property (expected {', '.join(Property)})")
    if args.estimate is not None and (args.sharpest or args.sample or args.limit or args.count):
        raise InvalidInput("an estimate shows no endings and counts none (expected it alone)")
    with show_share("mining endings") as show:
        found = _the_mine(args, show)
        if args.estimate is not None:
            return _tell_estimate(found.estimate(args.estimate, seed=args.seed), args)
        endings = _chosen(found, args)
        if args.lines:
            for ending in endings:
                print(json.dumps(ending_to_dict(ending), ensure_ascii=False), flush=True)
            return 0
        shown = list(endings)
        count = None if args.limit else found.count()
    if args.json:
        print_json(_to_dict(args, count, shown))
    else:
        sections = [] if count is None else [_count_text(count, args)]
        sections += [format_ending(ending) for ending in shown]
        print_text(f"\n\n{'-' * 60}\n\n".join(sections) or "None.", ascii=args.ascii)
    return 0


def _the_mine(args: argparse.Namespace, show: Callable[[float], None]) -> Mine:
    options: dict[str, Any] = {
        "least_cost": args.cost,
        "tricks": args.tricks,
        "least_choices": args.choices,
        "most_holding": args.holding,
        "lengths": _lengths(args.lengths),
        "threads": args.threads,
        "progress": show,
    }
    if args.set is not None:
        if args.strain is None or args.leader is None:
            raise InvalidInput("a set without strain or leader (expected --strain and --leader)")
        strain, leader = Strain.from_text(args.strain), Seat.from_text(args.leader)
        deals = DealSet.from_text(args.set)
        return mine(args.property, deals, strain=strain, leader=leader, **options)
    if args.leader is not None:
        raise InvalidInput(f"a leader without a set: {args.leader!r} (expected --set SET)")
    return mine(
        args.property,
        args.cards,
        trumps=_trumps(args.strain),
        **options,
    )


def _trumps(strain: str | None) -> bool | None:
    """Whether there are trumps; `None` if that is open."""
    if strain is None:
        return None
    if strain.upper() in ("NT", "N", "NOTRUMP"):
        return False
    if strain.lower() == "trumps":
        return True
    raise InvalidInput(f"not a kind of strain: {strain!r} (expected NT or trumps)")


def _lengths(text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9](-[0-9]){0,3}", text, re.ASCII):
        raise InvalidInput(f"not the lengths of a hand: {text!r} (expected them like 2-1-1)")
    return [int(length) for length in text.split("-")]


def _chosen(found: Mine, args: argparse.Namespace) -> Iterable[MinedEnding]:
    if args.limit:
        return islice(found, args.limit)
    if args.sample:
        return found.sample(args.sample, seed=args.seed)
    if args.count:
        return ()
    return found.sharpest(args.sharpest or 1, seed=args.seed)


def _question(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "property": args.property,
        "cards": args.cards,
        "set": args.set,
        "strain": args.strain,
        "leader": args.leader,
        "lengths": args.lengths,
        "cost": args.cost,
        "tricks": args.tricks,
    }


def _to_dict(
    args: argparse.Namespace, count: MinedCount | None, shown: Sequence[MinedEnding]
) -> dict[str, Any]:
    answer = _question(args)
    if count is not None:
        answer |= {
            "endings": count.total,
            "of_endings": count.of_endings,
            "by_cost": {str(cost): number for cost, number in count.endings.items()},
            "deals": sum(count.deals.values()),
            "of_deals": count.of_deals,
            "deals_by_cost": {str(cost): number for cost, number in count.deals.items()},
        }
    return answer | {"seed": args.seed, "found": [ending_to_dict(ending) for ending in shown]}


def ending_to_dict(ending: MinedEnding) -> dict[str, Any]:
    """One ending by the names of the JSON keys.

    >>> found = mine("lead-costs", 8).sample(1, seed=4)[0]
    >>> ending_to_dict(found)["reason"]
    'N-S take 1 of 2 tricks if they lead, 2 if E-W do'
    """
    return {
        "property": str(ending.kind),
        "deal": ending.deal.to_pbn(),
        "strain": str(ending.strain),
        "leader": str(ending.leader),
        "cost": ending.cost,
        "tricks": ending.tricks,
        "reason": ending.reason,
        "cards": [
            {"card": str(value.card), "tricks": value.tricks, "cost": value.cost}
            for value in ending.cards
        ],
        "line": [str(card) for card in ending.line.cards],
        "command": ending.command,
    }


def format_ending(ending: MinedEnding) -> str:
    """Hands, what is to be seen, values, a line and the command that checks them.

    >>> found = mine("lead-costs", 8).sample(1, seed=4)[0]
    >>> print(format_ending(found).splitlines()[0])
    1 trick at stake: N-S take 1 of 2 tricks if they lead, 2 if E-W do
    """
    start = Play(ending.deal, ending.strain, ending.leader)
    return "\n\n".join(
        [
            ending.stake,
            f"{format_deal(ending.deal)}\n\n{format_situation(start)}",
            format_cards(ending.leader.side, ending.cards),
            f"One line of perfect play:\n{format_play(ending.line)}",
            ending.command,
        ]
    )


def _count_text(count: MinedCount, args: argparse.Namespace) -> str:
    if args.set is not None:
        return count.to_text("deals of the set")
    share = f"{count.share_of_deals:.4%} of all deals from a pack with {args.cards} cards left"
    return f"{count.to_text()}\n{share}"


def _tell_estimate(estimate: MinedEstimate, args: argparse.Namespace) -> int:
    if args.json:
        print_json(
            _question(args)
            | {
                "estimated_endings": estimate.endings,
                "stderr": estimate.stderr,
                "shapes": estimate.shapes,
                "seed": estimate.seed,
            }
        )
    else:
        print(estimate)
    return 0


def _run_gallery(args: argparse.Namespace) -> int:
    if args.property is not None or args.set is not None:
        raise InvalidInput("a gallery has all properties and no set (expected --cards N alone)")
    with show_share("mining endings") as show:
        page = gallery_page(
            args.cards,
            seed=args.seed,
            estimate=args.estimate,
            command=_gallery_command(args),
            threads=args.threads,
            progress=show,
        )
    write_output(args.gallery, page.encode())
    return 0


def _gallery_command(args: argparse.Namespace) -> str:
    words = ["setrograde", "db", "mine", "--gallery", args.gallery, "--cards", str(args.cards)]
    if args.seed:
        words += ["--seed", str(args.seed)]
    if args.estimate is not None:
        words += ["--estimate", str(args.estimate)]
    return shlex.join(words)
