"""A long run of state_publisher with faults injected, checked against the motion that is true."""

from __future__ import annotations

import sys
from pathlib import Path

#: What reads published bytes, and damages sent ones, is shared with the tests.
sys.path.append(str(Path(__file__).parents[2] / "test" / "support"))
