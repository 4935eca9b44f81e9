"""`setrograde solve`: how many tricks each card takes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from setrograde.bridge import Play
from setrograde.bridge.display import format_play
from setrograde.solve.double_dummy import CardValue, Solution, Solver

from .common import add_format_options, print_json
from .options import add_json_option, add_limit_option
from .positions import add_deal_arguments, add_position_options, print_text, the_position
from .values import answer_to_dict, format_cards, format_situation, format_totals

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Solve a deal double dummy: how many tricks each legal card takes when all four hands are seen and
played perfectly. The cards that mattered are shown as a pattern: every deal that agrees with it,
whatever its x cards are, gives the same tricks. Strain and leader come from the board's contract if
it has one. Endings can be solved as well as full deals. In the middle of a trick, give the hands as
they were before the trick and the cards played since with --played. A board that was played is
solved from the first trick; --played 20 goes to the position after 20 of its cards."""

_EPILOG = """\
examples:
  setrograde solve "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader S --line
  setrograde solve "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader W --played "S6 SQ"
  setrograde solve night.pbn --board 3 --strain S --leader N
  setrograde solve night.pbn --board 3 --played 20"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser("solve", description=_DESCRIPTION, epilog=_EPILOG)
    add_deal_arguments(parser)
    add_position_options(parser)
    parser.add_argument("--line", action="store_true", help="also print one line of perfect play")
    add_limit_option(
        parser,
        "the search",
        default=256,
        least=2,
        note="with less, hard deals take longer",
    )
    add_format_options(parser)
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve one position."""
    position = the_position(args)
    play = position.play
    solver = Solver(limit_mb=args.limit_mb)
    solution = solver.solve(play.deal, play.strain, play.leader, played=play.cards)
    values = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
    nodes = solver.statistics()["nodes"]
    line = None
    if args.line:
        line = solver.best_line(play.deal, play.strain, play.leader, played=play.cards)
    if args.json:
        answer = _to_dict(play, solution, values, nodes, line)
        print_json(answer | _endings(solver) | {"recorded": position.recorded})
    else:
        sections = _sections(play, solution, values, nodes)
        if solver.endings is not None:
            sections[-1] += f", endings of {solver.endings.cards} cards looked up"
        if line is not None:
            sections.insert(-1, f"One line of perfect play:\n{format_play(line)}")
        if position.note is not None:
            sections.insert(0 if position.taken else -1, position.note)
        print_text("\n\n".join(sections), ascii=args.ascii)
    return 0


def _to_dict(
    play: Play, solution: Solution, values: Sequence[CardValue], nodes: int, line: Play | None
) -> dict[str, Any]:
    answer = answer_to_dict(play, solution, values)
    answer |= {"pattern": str(solution.pattern), "nodes": nodes}
    if line is not None:
        answer["line"] = [str(card) for card in line.cards[len(play.cards) :]]
    return answer


def _sections(play: Play, solution: Solution, values: Sequence[CardValue], nodes: int) -> list[str]:
    """The paragraphs of the answer."""
    sections = [f"{format_situation(play)}\n{format_totals(play, solution)}"]
    if values:
        sections.append(format_cards(play.turn.side, values))
        sections.append(
            f"The cards that mattered (x: any other card of the suit):\n{solution.pattern}"
        )
    sections.append(f"{nodes:,} positions searched")
    return sections


def _endings(solver: Solver) -> dict[str, int | None]:
    """The size of the endings that the solver looks up, by the name of the JSON key."""
    return {"endings": None if solver.endings is None else solver.endings.cards}
