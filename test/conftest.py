"""Tests with real processes get a second and a third chance; the longest files come first.

Tests over best-effort DDS share the machine with whatever else runs there, and a message may be
lost. A test that passes only when it is repeated shows as R, and how it failed is reported at the
end.

`make test` deals whole files out to several processes, in the order of collection: what takes a
minute must not come last, when nothing is left for the others to do.
"""

from __future__ import annotations

from pathlib import Path

import pytest

REAL_PROCESSES = ("nodes", "cli", "readme", "launch")
ROOT = Path(__file__).parent
#: Files that take a minute or more; the others keep their order behind them.
LONGEST = ("packaging/test_colcon.py", "robot/test_dynamic_functions.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.relative_to(ROOT).as_posix() not in LONGEST)
    for item in items:
        if item.path.relative_to(ROOT).parts[0] in REAL_PROCESSES:
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))
