"""Hypothesis profiles, the import path of `support`, a small database."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from setrograde.db.database import level_path
from setrograde.db.methods.diagram_build import build_diagrams

# A shell starts work in the background with Ctrl-C ignored; what tests start must not inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests use no database that happens to be installed, and install none.
os.environ["SETROGRADE_HOME"] = str(Path(__file__).parent / "no_databases")
os.environ["SETROGRADE_NO_BUILD"] = "1"

sys.path.insert(0, str(Path(__file__).parent))

usual = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("default", usual)
settings.register_profile("full", usual, max_examples=400)  # `make check-full`
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Scripts, run by tests/fuzz/test_fuzz.py.
collect_ignore_glob = ["fuzz/fuzz_*.py", "fuzz/readers.py", "fuzz/mutate.py"]


@pytest.fixture(scope="session")
def endings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the diagrams of all endings up to 12 cards; not to be changed."""
    directory = tmp_path_factory.mktemp("endings")
    for tricks in (1, 2, 3):
        build_diagrams(tricks, level_path(tricks, directory))
    return directory
