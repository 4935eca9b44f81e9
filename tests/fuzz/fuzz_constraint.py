"""Fuzz the readers of constraints and of contracts."""

from readers import fuzz_main

from setrograde.bridge import Contract, DealConstraint, HandConstraint, InvalidInput

TEXTS = [
    "hcp 15-17, balanced, 5+ spades or hearts, 2 of top 3 spades, not DK",
    "N: (hcp >= 12 and a major 5+) or void in clubs; S: no singleton, exactly 1 of SA HA",
    "12 <= hcp < 15 | shape (54)22 or 5-3-3-2, both minors 3+, aces 2+, controls 4-",
    "S 4S", "3NTXX by North", "4♠X S",
]  # fmt: skip


def run(data: bytes) -> None:
    """Any text is a value that can be written and read again, or bad input."""
    text = data.decode("utf-8", "replace")
    for read in (HandConstraint.from_text, DealConstraint.from_text):
        try:
            value = read(text)
        except InvalidInput:
            continue
        assert read(str(value)) == value
    try:
        contract = Contract.from_text(text, "S")
    except InvalidInput:
        return
    assert Contract.from_text(str(contract)) == contract


if __name__ == "__main__":
    fuzz_main(run, [text.encode() for text in TEXTS])
