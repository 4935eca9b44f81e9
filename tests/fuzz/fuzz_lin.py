"""Fuzz the LIN reader; documents must give back the same bytes, too."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.lin import LinDocument, format_lin, parse_lin

VUGRAPH = b"""vg|Cup,Segment 1,I,1,2,Reds,0,Blues,0|
rs|7NS=,6NTxS-1,PASS,|
pn|a,b,c,d,e,f,g,h|pg||
qx|o1|st||md|3SAKQHAKQDAKQCAKQJ,SJT98HJT98DJT98CT,S765H765D7654C987,|sv|o|nt|hello|
mb|p|mb|p|mb|7N!|an|all|mb|ppp|pg||pc|HJ|pc|H5H2HA|pg||mc|13|
qx|c1|mb|p|mb|p|mb|6N|mb|d|mb|p|mb|p|mb|p|
"""
check = check_format(parse_lin, format_lin)


def run(data: bytes) -> None:
    assert LinDocument.from_data(data).to_bytes() == data
    check(data)


if __name__ == "__main__":
    fuzz_main(run, [format_lin(example_boards()).encode(), VUGRAPH])
