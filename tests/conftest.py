"""Hypothesis profiles and the import path of `support`."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("default")

# Scripts, run by tests/fuzz/test_fuzz.py.
collect_ignore_glob = ["fuzz/fuzz_*.py", "fuzz/readers.py", "fuzz/mutate.py"]
