"""Boards of a file whose contract was not par: `python examples/not_par.py match.pbn`."""

import sys

import setrograde as sg

boards = sg.read_boards(sys.argv[1])
tables = sg.solve_tables([board.deal for board in boards])
for board, table in zip(boards, tables, strict=True):
    best = sg.par(table, board.dealer, board.vulnerability)
    if board.contract not in best:
        print(f"Board {board.number}: {board.contract.pretty}. {best}")
