"""Fuzz the reader of sets of deals."""

from readers import fuzz_main

from setrograde.bridge import InvalidInput
from setrograde.db.deal_sets import DealSet

SEEDS = (
    b"SAQ=N SK=EW S76543=x H2=N HA=E H43=SW",
    b"SA=N,SKQJ=x HA=E HKQJ=-E",
    b"SAKQJ=x E.S>=1 E.S<=2 W.S=0 N.H>=13",
    b"S1098=NESW C2=-NES D=x",
)


def run(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        deals = DealSet.from_text(text)
    except InvalidInput:
        return
    again = DealSet.from_text(deals.to_text())
    assert again.holders == deals.holders
    assert again.to_text() == deals.to_text()
    for seat in (0, 3):
        assert sum(map(len, deals.masks(seat))) == 4 * deals.tricks


if __name__ == "__main__":
    fuzz_main(run, SEEDS)
