"""Fuzz the reader of level files: whatever the bytes, nothing but `DatabaseError` comes out.

An input is a small script: a real file is cut, lengthened, and bytes of it are changed. Half of the
scripts then set all checksums right, so that what lies behind them is reached too.
"""

import faulthandler
import struct
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from readers import fuzz_main

from setrograde.bridge import Seat, Strain
from setrograde.db.database import DiagramLevel, EndingDatabase
from setrograde.db.deal_sets import DealSet
from setrograde.db.methods.diagram_build import DatabaseError, build_diagrams
from support import random_position
from unit.db.test_level_file_format import xxh64

HEADER, BLOCK, CHECKED = 4096, 65536, 312
BODY_END, SUMS_CHECKSUM = 40, 48
RAW, CHANGED, SEALED = range(3)

folder = TemporaryDirectory()
real, damaged = Path(folder.name, "real"), Path(folder.name, "damaged")
build_diagrams(2, real)
WHOLE = real.read_bytes()
USED = [  # where the records of sections begin, to change these and not the filling between them
    struct.unpack_from("<IIQQ", WHOLE, 120 + 24 * number)[3]
    for number in range(struct.unpack_from("<I", WHOLE, 20)[0])
]


def edited(script: bytes) -> bytes:
    kind = script[0] % 3 if script else RAW
    if kind == RAW:
        return script[1:]
    data = bytearray(WHOLE)
    for at in range(1, len(script) - 3, 4):
        place, value = struct.unpack_from("<HB", script, at)
        match script[at + 3] % 8:
            case 0:
                del data[(place * 3) % (len(data) + 1) :]
            case 1:
                data += bytes([value]) * (place % 100)
            case 2 | 3:
                data[place % 320 : place % 320 + 1] = bytes([value])
            case action:
                start = USED[action % len(USED)]
                data[start + place % 9000 : start + place % 9000 + 1] = bytes([value])
    if kind == SEALED:
        seal(data)
    return bytes(data)


def seal(data: bytearray) -> None:
    """Set the checksums right, if there is room for them."""
    if len(data) < HEADER:
        return
    (end,) = struct.unpack_from("<Q", data, BODY_END)
    blocks = range(HEADER, min(end, len(data)), BLOCK)
    if end + 8 * len(blocks) == len(data):
        sums = [xxh64(bytes(data[at : min(at + BLOCK, end)])) for at in blocks]
        data[end:] = struct.pack(f"<{len(sums)}Q", *sums)
        struct.pack_into("<Q", data, SUMS_CHECKSUM, xxh64(bytes(data[end:])))
    struct.pack_into("<Q", data, CHECKED, xxh64(bytes(data[:CHECKED])))


def run(script: bytes) -> None:
    damaged.write_bytes(edited(script))
    with suppress(DatabaseError):
        ask_everything(DiagramLevel(damaged), Random(len(script)))


def ask_everything(level: DiagramLevel, rng: Random) -> None:
    if level.tricks > 3:
        return  # shapes of that size take seconds each
    for rank in rng.sample(range(level.shapes), 20):
        level.values_of_shape(rank)
    database = EndingDatabase({level.tricks: level})
    for _ in range(20):
        play = random_position(rng, level.tricks, on_table=0)
        level.value(play.remaining, play.strain, play.turn)
        deals = level.set_of(play.remaining, play.strain, play.turn)
        level.count(deals, play.strain, play.turn)
    if level.tricks == 2:
        deals = DealSet.from_text("SAKQJ=x HAKQJ=-N")
        database.query(deals, Strain.NOTRUMP, Seat.NORTH)
        database.decisive_cards(deals, Strain.SPADES, Seat.WEST)
    level.check()


if __name__ == "__main__":
    faulthandler.enable()
    rng = Random(5)
    seeds = [bytes([kind, *rng.randbytes(4 * count)]) for kind in range(3) for count in range(20)]
    fuzz_main(run, [b"", WHOLE[:0], bytes([RAW]) + WHOLE[:5000], *seeds])
