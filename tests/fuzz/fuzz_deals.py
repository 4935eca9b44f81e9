"""Fuzz the reader of lists of deals."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.deal_lines import format_deals, parse_deals

run = check_format(parse_deals, format_deals)

if __name__ == "__main__":
    fuzz_main(
        run,
        [
            format_deals(example_boards()).encode(),
            b"# two\n1. AK... QJ... T9... 87...\n2) n A... e K... s Q... w J...\n",
            "\ufeffE:A...,K...,Q...,-\r\n".encode("utf-16-le"),
        ],
    )
