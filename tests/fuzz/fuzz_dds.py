"""Fuzz the reader of DDS lists."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.dds_list import format_dds_list, parse_dds_list, parse_dds_records

RECORD = b"""NUMBER 1
PBN 1 2 3 0 "N:AQT98... K7... J6... 52..."
FUT 2 0 0 14 10 0 768 3 2
TABLE 0 1 2 3 4 5 6 7 8 9 10 11 12 13 0 1 2 3 4 5
PAR "NS -110" "EW 110" "NS:EW 2S" "EW:EW 2S"
PAR2 "-110" "2S-EW"
PLAY 2 "SAS7"
TRACE 3 2 1 0
"""
check = check_format(parse_dds_list, format_dds_list)


def run(data: bytes) -> None:
    check(data)
    records = parse_dds_records(data, strict=False)
    assert parse_dds_records(format_dds_list(records)) == records


if __name__ == "__main__":
    fuzz_main(run, [format_dds_list(example_boards()).encode(), RECORD])
