"""Fuzz the PBN readers: `python tests/fuzz/fuzz_pbn.py [seconds] [seed]`."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.mutate import FuzzReport, fuzz_loop
from setrograde.formats import FormatError
from setrograde.formats.pbn import PbnDocument, format_pbn, parse_pbn, verify_pbn
from support import SHARED_DATA

SEEDS = [
    b'% PBN 2.1\r\n% EXPORT\r\n[Event "Cup"]\r\n[Board "1"]\r\n[West "w"]\r\n[Dealer "N"]\r\n'
    b'[Vulnerable "None"]\r\n[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 '
    b'KQT2.AT.J6542.85"]\r\n[Declarer "S"]\r\n[Contract "5HX"]\r\n[Result "NS 9 EW 4"]\r\n'
    b'{ comment\r\n\r\nwith a blank line }\r\n[Auction "W"]\r\n- 1D 1S 3H =1= $3\r\n'
    b"4S 4NT =2= X Pass ; rest\r\n% escape\r\nPass 5C ! X 5H\r\nX AP\r\n"
    b'[Note "1:Alert: 6-9"]\r\n[Note "2: minors"]\r\n[Play "W"]\r\nSK H3 S4 S3\r\n'
    b"C5 C2 ^R C6 CK\r\nS2 H6 S5 S7 =1=\r\n-  -  -  H2\r\n*\r\n"
    b'[Note "1:x"]\r\n[Score "NS -300"]\r\n',
    b'[Event "##a"]\n[Date "#"]\n[DoubleDummyTricks "77667775576677566775"]\n'
    b'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT  7\nN  S  7\n'
    b'[ScoreTable "-Rank\\3R;+Score_NS\\5R;Names"]\n1 420 "a;b"\n2 -50 "c \\" d"\n\n'
    b'[Contract "3N"]\n[Declarer "^E"]\n[Auction "N"]\n1N p 3n ap\n[Play "S"]\nd2 d10 + -\n',
    b'<PBN>\r[ Event\r"x" ] [Site "y"]{z}\r</PBN>\r\n',
    b'[ScoreRubberHistory "NS 0 0 / 100 0 EW 0 0 / 0 0"]\n[Vulnerable "NS"]\n',
    b'[Deal "N:AK... QJ... T9... 87..."]\n[Contract "S"]\n[Play "N"]\nSA SJ S9 S7\nSK SQ ST S8\n',
]


def run(data: bytes) -> None:
    """Nothing lost, nothing raised but `FormatError`, and what is written is read back."""
    assert PbnDocument.from_bytes(data).to_bytes() == data
    lenient = parse_pbn(data)
    verify_pbn(data)
    with suppress(FormatError):
        parse_pbn(data, strict=True)
    written = format_pbn(lenient)
    again = parse_pbn(written)
    assert len(again) == len(lenient)
    assert [board.deal for board in again] == [board.deal for board in lenient]
    assert [board.contract for board in again] == [board.contract for board in lenient]


def seeds() -> list[bytes]:
    """Our own examples, and the small third-party files where they are present."""
    files = sorted(SHARED_DATA.glob("pbn_conformance/*.pbn"))
    return SEEDS + [path.read_bytes() for path in files]


def main(seconds: float = 60.0, seed: int = 0) -> FuzzReport:
    """Fuzz for `seconds` and print what was found."""
    report = fuzz_loop(run, seeds(), seconds, seed)
    print(report)
    return report


if __name__ == "__main__":
    found = main(*(int(argument) for argument in sys.argv[1:3]))
    sys.exit(1 if found.failures else 0)
