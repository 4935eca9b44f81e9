"""A small mutation fuzzer that every text format shares.

A target is a function of bytes that raises `AssertionError` (or anything else) when the reader
misbehaves. `fuzz_loop` feeds it mutated seeds until the time is up, and reports each input that
made it raise or that took too long. The same seed gives the same inputs on every machine.
"""

from __future__ import annotations

import random
import re
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

__all__ = ["Failure", "FuzzReport", "fuzz_loop", "mutate"]

Target = Callable[[bytes], None]

_MAX_BYTES = 1 << 14
_MAX_FAILURES = 10
_INTERESTING = (
    b"",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"|",
    b"%",
    b";",
    b"#",
    b"-",
    b"+",
    b"*",
    b"=1=",
    b"$300",
    b"99999999999999999999",
    b"-1",
    b"10",
    b"NT",
    b"AP",
    b"\xb2",
)
_TOKEN = re.compile(rb"[A-Za-z0-9]+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Failure:
    """One input that broke the target."""

    data: bytes
    """The input, shortened as far as a quick search could."""

    reason: str
    """The traceback, or how long it took."""


@dataclass(slots=True)
class FuzzReport:
    """What a run of the fuzzer found."""

    seed: int
    inputs: int = 0
    slowest_seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.inputs} inputs, seed {self.seed}, slowest {self.slowest_seconds:.3f} s, "
            f"{len(self.failures)} failures"
        ]
        for failure in self.failures:
            lines += ["", repr(failure.data), failure.reason]
        return "\n".join(lines)


def mutate(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Change `data` by a few random edits of bytes, tokens and lines, or splice it with a seed."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(_MUTATIONS)(data, seeds, rng)
    return data[:_MAX_BYTES]


def _flip_byte(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _insert_interesting(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_INTERESTING) * rng.choice((1, 1, 1, 2, 40)) + data[at:]


def _delete_span(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.choice((1, 1, 2, 5, 20, 200)) :]


def _truncate(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _duplicate_span(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    start = rng.randint(0, len(data))
    span = data[start : start + rng.choice((1, 5, 20, 100))]
    return data[:start] + span * rng.choice((1, 2, 10)) + data[start:]


def _edit_tokens(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) < 2:
        return data
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    match rng.randrange(4):
        case 0:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        case 1:
            tokens[i] = tokens[j]
        case 2:
            tokens[i] = rng.choice(_INTERESTING)
        case _:
            del tokens[i]
    return b"".join(tokens)


def _edit_lines(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[i], lines[j] = lines[j], lines[i]
        case 1:
            lines.insert(j, lines[i])
        case 2:
            del lines[i]
        case 3:
            lines[i] = lines[i].rstrip(b"\r\n")
        case _:
            lines[i] = lines[i].rstrip(b"\r\n") + rng.choice((b"\r", b"\n", b"\r\n", b"\n\n"))
    return b"".join(lines)


def _splice(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(seeds)
    start = rng.randint(0, len(other))
    span = other[start : start + rng.choice((10, 100, 1000))]
    at = rng.randint(0, len(data))
    return data[:at] + span + data[at + rng.choice((0, len(span))) :]


_MUTATIONS = (
    _flip_byte,
    _insert_interesting,
    _delete_span,
    _truncate,
    _duplicate_span,
    _edit_tokens,
    _edit_tokens,
    _edit_lines,
    _edit_lines,
    _splice,
)


def fuzz_loop(
    run: Target,
    seeds: Sequence[bytes],
    seconds: float,
    seed: int = 0,
    *,
    limit_seconds: float = 1.0,
    max_inputs: int | None = None,
) -> FuzzReport:
    """Feed mutated seeds to `run` for `seconds`; report what raised or took over `limit_seconds`.

    The seeds themselves are tried first. Stops early after ten failures or `max_inputs`.
    """
    rng = random.Random(seed)
    report = FuzzReport(seed)
    pool = [data[:_MAX_BYTES] for data in seeds] or [b""]
    end = time.monotonic() + seconds
    pending = list(pool)
    while time.monotonic() < end and len(report.failures) < _MAX_FAILURES:
        if max_inputs is not None and report.inputs >= max_inputs:
            break
        data = pending.pop() if pending else mutate(rng.choice(pool), pool, rng)
        report.inputs += 1
        reason, taken = _try(run, data, limit_seconds)
        report.slowest_seconds = max(report.slowest_seconds, taken)
        if reason is not None:
            report.failures.append(Failure(_shorten(run, data, limit_seconds), reason))
    return report


def _try(run: Target, data: bytes, limit_seconds: float) -> tuple[str | None, float]:
    """Why `data` breaks `run` (or `None`), and the seconds it took."""
    start = time.process_time()
    try:
        run(data)
    except Exception:
        return traceback.format_exc(), time.process_time() - start
    taken = time.process_time() - start
    return (f"took {taken:.1f} s" if taken > limit_seconds else None), taken


def _shorten(run: Target, data: bytes, limit_seconds: float) -> bytes:
    """Cut pieces out of `data` while it still fails, for at most a few seconds."""
    end = time.monotonic() + 5.0
    size = max(1, len(data) // 2)
    while size and time.monotonic() < end:
        at = 0
        while at < len(data) and time.monotonic() < end:
            shorter = data[:at] + data[at + size :]
            if _try(run, shorter, limit_seconds)[0] is not None:
                data = shorter
            else:
                at += size
        size //= 2
    return data
