"""What `setrograde odds` shows on stderr while it works: an estimate, bounds and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from setrograde.analysis.odds import Odds
from setrograde.analysis.odds.chances import format_chance, format_chances
from setrograde.cli.common import uses_colour

__all__ = ["format_update", "list_progress", "show_odds"]


def format_update(odds: Odds) -> str:
    """Everything known so far in one line; each part says what it is.

    >>> from setrograde.analysis.odds import odds
    >>> format_update(odds("AQ...", "32...", "NT", "S", need=2, hidden="KJT9..."))
    'exact 50.00 %'
    """
    if odds.need is None:
        return _update_of_all(odds)
    if odds.probability is not None:
        return f"exact {format_chance(odds.probability)}"
    low, high = odds.bounds_at_least(odds.need)
    parts = [f"proved {format_chances(low, high, places=1)}"]
    estimate = odds.estimate
    if estimate is not None:
        span = format_chances(estimate.low, estimate.high, places=1)
        parts.insert(0, f"estimate {format_chance(estimate.share, places=1)} ({span})")
    return ", ".join(parts)


def _update_of_all(odds: Odds) -> str:
    if odds.average is not None:
        return f"exact average {float(odds.average):.3f} tricks"
    parts = [f"{format_chance(1 - odds.open_share, places=0)} of the distribution proved"]
    if odds.sample is not None:
        parts.insert(0, f"estimate {odds.sample.average:.2f} tricks")
    return ", ".join(parts)


@contextmanager
def list_progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Print on stderr how many pieces of the work are done, at each tenth and second.

    >>> with list_progress("layouts", 20) as tell:
    ...     tell(0)
    """
    begun = time.monotonic()
    told, told_at = 0, begun

    def tell(done: int) -> None:
        nonlocal told, told_at
        now = time.monotonic()
        is_news = done - told >= max(1, total // 10) or now - told_at >= 1 or done == total
        if told < done and is_news:
            print(f"{now - begun:7.1f} s  {done} of {total} {label}", file=sys.stderr, flush=True)
            told, told_at = done, now

    yield tell


@contextmanager
def show_odds(*, is_listed: bool) -> Iterator[Callable[[Odds], None]]:
    """Show updates: as lines if `is_listed`, as a bar if stderr is a terminal, else not at all.

    >>> with show_odds(is_listed=False) as tell:
    ...     pass
    """
    if is_listed:
        last = ""

        def tell(odds: Odds) -> None:
            nonlocal last
            line = format_update(odds)
            if line != last:
                print(f"{odds.seconds:7.1f} s  {line}", file=sys.stderr, flush=True)
                last = line

        yield tell
        return
    if not sys.stderr.isatty():
        yield lambda odds: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=not uses_colour(sys.stderr))
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("solving a few layouts", total=1.0)

        def draw(odds: Odds) -> None:
            done = 1 - odds.open_share
            progress.update(task, description=format_update(odds), completed=done)

        yield draw
