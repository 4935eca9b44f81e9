"""`python -m setrograde.cli`, for where scripts are not on the path."""

import sys

from .main import main

sys.exit(main())
