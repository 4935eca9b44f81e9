"""Fuzz the reader of JSON boards."""

from readers import check_format, example_boards, fuzz_main

from setrograde.formats.boards_json import format_json, parse_json

run = check_format(parse_json, format_json)

if __name__ == "__main__":
    boards = example_boards()
    fuzz_main(run, [format_json(boards).encode(), format_json(boards, indent=None).encode()])
