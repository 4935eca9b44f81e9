"""DDS, as endplay carries it, asked in our words; tests skip without it."""

from __future__ import annotations

from typing import Any

import pytest

from setrograde.bridge import Play, Seat
from support import from_this_trick


class DdsPeer:
    """The peer's modules, and our positions as its own."""

    def __init__(self) -> None:
        self.dds: Any = pytest.importorskip("endplay.dds")
        self.types: Any = pytest.importorskip("endplay.types")
        denom = self.types.Denom
        self.denoms = dict(zip("CDHS", denom.suits(reverse=True), strict=True)) | {"NT": denom.nt}
        self.players = dict(zip(Seat, self.types.Player, strict=True))

    def position(self, play: Play) -> Any:
        """The same position, the cards of its trick played."""
        play = from_this_trick(play)
        theirs = self.types.Deal(
            play.deal.to_pbn(),
            first=self.players[play.leader],
            trump=self.denoms[str(play.strain)],
        )
        for card in play.cards:
            theirs.play(str(card))
        return theirs
