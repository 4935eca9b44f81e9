"""Fuzz the reader of dealer scripts."""

from readers import TESTS, fuzz_main

from setrograde.bridge import InvalidInput
from setrograde.formats.dealer import format_dealer, parse_dealer


def run(data: bytes) -> None:
    """Any bytes are a script that can be written and read again, or a mistake with a place."""
    try:
        script = parse_dealer(data)
    except InvalidInput as error:
        message = str(error)
    else:
        message = ""
        assert parse_dealer(format_dealer(script)) == script
    assert "\n" not in message


if __name__ == "__main__":
    fuzz_main(run, [path.read_bytes() for path in sorted((TESTS / "data/dealer").glob("*.dl"))])
