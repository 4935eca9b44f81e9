"""Fuzz the reader of viewer links."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.bbo import format_bbo, parse_bbo

run = check_format(parse_bbo, format_bbo)

if __name__ == "__main__":
    boards = example_boards()
    fuzz_main(run, [format_bbo(boards).encode(), format_bbo(boards, form="hands").encode()])
