"""Exact and sampled answers about boards: par, odds, suits.

Each question has its own module; import from there.

>>> from setrograde.analysis.par import par
>>> from setrograde.bridge import Seat, TrickTable, Vulnerability
>>> table = TrickTable.from_function(lambda seat, strain: 9 if seat.side == 0 else 4)
>>> par(table, Seat.NORTH, Vulnerability.BOTH).contract_text
'NS 3NT'
"""
