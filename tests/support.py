"""What several tests need."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(*parts: str) -> Path:
    """A third-party test file beside the project; skips the test where it is not present."""
    path = SHARED_DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"third-party data not present: {'/'.join(parts)}")
    return path
