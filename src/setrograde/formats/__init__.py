"""Text in, text out: PBN, LIN, RBN, JSON, BBO viewer links, DDS lists, lists of deals, scripts.

`read_boards` and `write_boards` know every format by its content or by the name of the file. The
readers, writers and documents of each format are here too; each is loaded when it is first used.

>>> from setrograde.formats import parse_pbn
>>> parse_pbn('[Board "3"]')[0].number
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from setrograde._lazy import lazy_names

from .files import FORMATS, detect_format, format_boards, parse_boards, read_boards, write_boards
from .problems import BoardFile, FormatError, Problem

if TYPE_CHECKING:
    from .bbo import format_bbo, format_bbo_link, parse_bbo, parse_bbo_link
    from .boards_json import board_from_dict, board_to_dict, format_json, parse_json
    from .dds_list import DdsFuture, DdsRecord, format_dds_list, parse_dds_list, parse_dds_records
    from .deal_lines import format_deals, parse_deals, read_deal_line
    from .dealer import Script, format_dealer, parse_dealer
    from .lin import LinDocument, LinToken, format_lin, parse_lin
    from .pbn import PbnDocument, PbnGame, PbnItem, add_results, format_pbn, parse_pbn, verify_pbn
    from .rbn import format_rbn, parse_rbn
    from .trick_digits import format_trick_digits, parse_trick_digits

__all__ = [
    "FORMATS",
    "BoardFile",
    "DdsFuture",
    "DdsRecord",
    "FormatError",
    "LinDocument",
    "LinToken",
    "PbnDocument",
    "PbnGame",
    "PbnItem",
    "Problem",
    "Script",
    "add_results",
    "board_from_dict",
    "board_to_dict",
    "detect_format",
    "format_bbo",
    "format_bbo_link",
    "format_boards",
    "format_dds_list",
    "format_dealer",
    "format_deals",
    "format_json",
    "format_lin",
    "format_pbn",
    "format_rbn",
    "format_trick_digits",
    "parse_bbo",
    "parse_bbo_link",
    "parse_boards",
    "parse_dds_list",
    "parse_dds_records",
    "parse_dealer",
    "parse_deals",
    "parse_json",
    "parse_lin",
    "parse_pbn",
    "parse_rbn",
    "parse_trick_digits",
    "read_boards",
    "read_deal_line",
    "verify_pbn",
    "write_boards",
]

_MODULES = {
    "bbo": "format_bbo format_bbo_link parse_bbo parse_bbo_link",
    "boards_json": "board_from_dict board_to_dict format_json parse_json",
    "dds_list": "DdsFuture DdsRecord format_dds_list parse_dds_list parse_dds_records",
    "deal_lines": "format_deals parse_deals read_deal_line",
    "dealer": "Script format_dealer parse_dealer",
    "lin": "LinDocument LinToken format_lin parse_lin",
    "pbn": "PbnDocument PbnGame PbnItem add_results format_pbn parse_pbn verify_pbn",
    "rbn": "format_rbn parse_rbn",
    "trick_digits": "format_trick_digits parse_trick_digits",
}

if not TYPE_CHECKING:  # or else a type checker would believe in every name
    __getattr__, __dir__ = lazy_names(__name__, _MODULES, packages=_MODULES)
