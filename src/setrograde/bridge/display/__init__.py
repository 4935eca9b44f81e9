"""Pictures of deals, auctions, play and boards: text, HTML fragments and SVG.

Hands are laid out as newspapers print them, North on top; auctions and tricks have a column
for each player, West first. Unknown hands, endings and unfinished tricks are all fine.

>>> from setrograde.bridge import Deal
>>> from setrograde.bridge.display import format_deal
>>> print(format_deal(Deal.from_pbn("N:AK... QJ... T9... 87..."), ascii=True))
          North
          S AK
          H -
          D -
          C -
West   +---------+  East
S 87   |    N    |  S QJ
H -    | W     E |  H -
D -    |    S    |  D -
C -    +---------+  C -
          South
          S T9
          H -
          D -
          C -
"""

from .html import auction_html, board_html, deal_html, hand_html, play_html, table_html
from .svg import board_svg, boards_svg, deal_svg
from .text import (
    format_auction,
    format_board,
    format_deal,
    format_hand,
    format_play,
    format_table,
)

__all__ = [
    "auction_html",
    "board_html",
    "board_svg",
    "boards_svg",
    "deal_html",
    "deal_svg",
    "format_auction",
    "format_board",
    "format_deal",
    "format_hand",
    "format_play",
    "format_table",
    "hand_html",
    "play_html",
    "table_html",
]
