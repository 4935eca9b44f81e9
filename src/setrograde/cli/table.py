"""`setrograde table`: the 20 results of every board, and par."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from setrograde.analysis.par import Par, par
from setrograde.bridge import (
    Board,
    Deal,
    InvalidDeal,
    InvalidInput,
    Seat,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.display import format_table
from setrograde.bridge.display.parts import caption_lines
from setrograde.formats.pbn import PbnDocument, add_results, format_pbn
from setrograde.formats.pbn.results import result_tags
from setrograde.formats.problems import BoardFile
from setrograde.solve.streaming import iter_tables

from .common import (
    add_format_options,
    check_output,
    choose_boards,
    complain,
    print_json,
    show_progress,
    write_output,
)
from .options import add_json_option, add_threads_option, error_line
from .positions import (
    add_deal_arguments,
    add_seat_option,
    add_vulnerability_option,
    board_name,
    load_deals,
    print_text,
    solvable_deal,
)

__all__ = ["Result", "add_parser", "run"]

_DESCRIPTION = """\
Solve every board of a file double dummy. The answer is the number of tricks that each declarer
takes in each strain, and par where dealer and vulnerability are known. With --write the results
also go into a PBN file as tags: a PBN file is copied with nothing else changed, and boards of any
other format become PBN. A deal that was played at several tables is solved once. Boards whose four
hands are not equally long are named on standard error and left out. Each board is printed as soon
as it is solved, and on a terminal a line says how much is done and about how long the rest takes.
With --json the answer comes at the end, in one piece."""

_OF_THE_BOARD = " (default: the board's)"

_EPILOG = """\
examples:
  setrograde table "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
  setrograde table night.pbn --board 3 --par --dealer N --vul none
  setrograde table night.pbn --json
  setrograde table night.pbn --write solved.pbn"""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found out about one board.

    >>> table = TrickTable.from_function(lambda seat, strain: 7 + seat % 2)
    >>> deal = Deal.from_pbn("N:A... K... Q... J...")
    >>> Result("board 1", 1, deal, None, None, table, None).par is None
    True
    """

    name: str
    """The name of the board in messages."""

    number: int | None
    """Its number."""

    deal: Deal
    """The cards."""

    dealer: Seat | None
    """The dealer that the board or the user names."""

    vulnerability: Vulnerability | None
    """The vulnerability that the board or the user names."""

    table: TrickTable
    """The 20 results."""

    par: Par | None
    """Par, where dealer and vulnerability are known and hands have 13 cards."""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "table", help="the 20 results of a deal, and par", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_deal_arguments(parser)
    parser.add_argument(
        "--par",
        action="store_true",
        help="say for which boards there is no par, because dealer or vulnerability is not known",
    )
    add_seat_option(parser, "--dealer", "the dealer, for par", metavar="N", note=_OF_THE_BOARD)
    add_vulnerability_option(parser, note=_OF_THE_BOARD)
    parser.add_argument(
        "--write",
        metavar="OUT",
        help="write a PBN file with the results as tags, or - for standard output alone",
    )
    add_threads_option(parser)
    add_format_options(parser)
    add_json_option(parser, "the results")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve the boards asked for."""
    _check_output(args)
    board_file, data = load_deals(args)
    choose_boards(board_file.boards, args.board, args.deal)  # an error if there are none
    boards = {
        place: replace(
            board,
            dealer=board.dealer if args.dealer is None else args.dealer,
            vulnerability=board.vulnerability if args.vul is None else args.vul,
        )
        for place, board in enumerate(board_file.boards)
        if args.board is None or board.number in args.board
    }
    deals = _deals(boards, must_be_right=data is None)
    if args.par:
        _demand_par({place: boards[place] for place in deals}, deals, must_be_right=data is None)
    with closing(_results(boards, deals, threads=args.threads)) as results:
        is_printed = not args.json and args.write != "-"
        found = dict(_printed(results, len(deals), ascii=args.ascii) if is_printed else results)
    if args.write is not None and found:
        write_output(args.write, _written(board_file, data, found))
    if args.json:
        print_json({"boards": [_to_dict(result) for result in found.values()]})
    return 0 if found else 1


def _check_output(args: argparse.Namespace) -> None:
    """Complain about OUT before the work, not after it."""
    out = args.write
    if out is None:
        return
    if out == "-":
        if args.json:
            raise InvalidInput("--json needs a file for --write: stdout cannot hold both")
        return
    if Path(out).suffix.lower() != ".pbn":
        raise InvalidInput(f"results are written as PBN, not to {out!r} (expected *.pbn or -)")
    check_output(out)


def _deals(boards: Mapping[int, Board], *, must_be_right: bool) -> dict[int, Deal]:
    """The deals that can be solved, by place; the others are reported."""
    deals, skipped = {}, []
    for place, board in boards.items():
        try:
            deals[place] = solvable_deal(board.deal)
        except InvalidDeal as error:
            if must_be_right:
                raise
            skipped.append(f"{board_name(board, place)}: {error_line(error)}")
    complain("board", "left out", skipped)
    return deals


def _demand_par(
    boards: Mapping[int, Board], deals: Mapping[int, Deal], *, must_be_right: bool
) -> None:
    """Say why there will be no par."""
    missing = []
    for place, board in boards.items():
        if not deals[place].is_full:
            why = f"no par with {len(deals[place]) // 4} cards each (expected 13)"
        elif board.dealer is None:
            why = "no dealer for par (expected --dealer N, E, S or W)"
        elif board.vulnerability is None:
            why = "no vulnerability for par (expected --vul none, ns, ew or all)"
        else:
            continue
        if must_be_right:
            raise InvalidInput(why)
        missing.append(f"{board_name(board, place)}: {why}")
    complain("board", "without par", missing)


def _results(
    boards: Mapping[int, Board], deals: Mapping[int, Deal], *, threads: int | None
) -> Generator[tuple[int, Result]]:
    """Results with their places, each once it is known; every deal is solved once."""
    different = tuple(dict.fromkeys(deals.values()))
    table_of: dict[Deal, TrickTable] = {}
    par_of = cache(par)
    with (
        show_progress("solving boards", len(different)) as show,
        closing(
            iter_tables(
                different, threads=threads, progress=lambda strains: show(strains / len(Strain))
            )
        ) as tables,
    ):
        for place, deal in deals.items():
            if deal not in table_of:  # the next one, since both are in the order of the file
                table_of[deal] = next(tables)
            board, table = boards[place], table_of[deal]
            dealer, vulnerability = board.dealer, board.vulnerability
            found = None
            if dealer is not None and vulnerability is not None and deal.is_full:
                found = par_of(table, dealer, vulnerability)
            name = board_name(board, place)
            yield place, Result(name, board.number, deal, dealer, vulnerability, table, found)


def _to_dict(result: Result) -> dict[str, Any]:
    return {
        "board": result.number,
        "deal": result.deal.to_pbn(),
        "dealer": None if result.dealer is None else str(result.dealer),
        "vulnerability": None if result.vulnerability is None else str(result.vulnerability),
        "table": result.table.to_dict(),
        "par": None if result.par is None else _par_to_dict(result.par),
    }


def _par_to_dict(found: Par) -> dict[str, Any]:
    return {
        "score_ns": found.score_ns,
        "contracts": [
            {
                "level": contract.level,
                "strain": str(contract.strain),
                "doubling": str(contract.doubling),
                "declarers": [str(seat) for seat in contract.declarers],
                "tricks_declarer": contract.tricks_declarer,
            }
            for contract in found.contracts
        ],
        "text": found.contract_text,
    }


def _printed(
    results: Iterable[tuple[int, Result]], count: int, *, ascii: bool
) -> Iterator[tuple[int, Result]]:
    """Print each board as soon as it is solved, one block for both rooms, and pass it on."""
    printed: set[Result] = set()
    for place, result in results:
        if result not in printed:
            blocks = [""] if printed else []
            caption = caption_lines(result.number, result.dealer, result.vulnerability)
            if count > 1 and result.number is None:
                caption.insert(0, result.name.capitalize())
            if caption:
                blocks.append(", ".join(caption))
            blocks.append(format_table(result.table))
            if result.par is not None:
                blocks.append(str(result.par))
            print_text("\n".join(blocks), ascii=ascii)
            sys.stdout.flush()
            printed.add(result)
        yield place, result


def _written(board_file: BoardFile, data: bytes | None, results: Mapping[int, Result]) -> bytes:
    """The input with results: the same bytes and more tags if it is PBN, else new PBN."""
    if data is None or board_file.format != "pbn":
        boards = [
            _with_result(board, results[place]) if place in results else board
            for place, board in enumerate(board_file.boards)
        ]
        return format_pbn(boards)
    document = PbnDocument.from_bytes(data)
    assert len(document) == len(board_file), "documents and boards split a file alike"
    tables = {place: result.table for place, result in results.items()}
    pars = {place: result.par for place, result in results.items() if result.par is not None}
    return add_results(document, tables, pars).to_bytes()


def _with_result(board: Board, result: Result) -> Board:
    """The board with the results, and with what par was worked out for if it was not known."""
    return replace(
        board,
        dealer=result.dealer if board.dealer is None else board.dealer,
        vulnerability=result.vulnerability if board.vulnerability is None else board.vulnerability,
        table=result.table,
        tags={**board.tags, **result_tags(result.table, result.par)},
    )
