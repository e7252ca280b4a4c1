"""Tests with real processes get a second and a third chance; the longest files come first.

Tests over best-effort DDS share the machine with whatever else runs there, and a message may be
lost. A test that passes only when it is repeated shows as R, and how it failed is reported at the
end.

`make test` deals whole files out to several processes, in the order of collection: what takes a
minute must not come last, when nothing is left for the others to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from compiling import CompilingHere
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.robot import kernel_source

if TYPE_CHECKING:
    from ros_graph import Graph

REAL_PROCESSES = ("nodes", "cli", "readme", "launch", "browser")
ROOT = Path(__file__).parent
#: Files that take half a minute or more; the others keep their order behind them.
LONGEST = (
    "browser/test_played_motion.py",
    "browser/test_simulated_robot.py",
    "readme/test_readme_commands.py",
    "packaging/test_colcon.py",
    "validation/test_benchmarks.py",
    "cli/test_demo.py",
    "nodes/test_node_lifecycle.py",
    "nodes/test_dynamics_services_fuzz.py",
    "nodes/test_joint_trajectory_demo.py",
    "nodes/test_state_publisher_soak.py",
    "nodes/test_state_publisher_fuzz.py",
    "robot/test_dynamic_functions.py",
    "robot/test_every_joint_kernel.py",
    "robot/test_kernels.py",
    "robot/test_export.py",
    "algorithms/test_derivatives.py",
    "algorithms/test_derivatives_forward.py",
    "algorithms/test_forward_dynamics_counts.py",
    "examples/test_closed_examples.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ranks = {ROOT / name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))
    for item in items:
        if item.path.parts[len(ROOT.parts)] in REAL_PROCESSES:
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))


@pytest.fixture(scope="session")
def service_here() -> CompilingHere:
    """A service that compiles in this process, for all files that use it."""
    return CompilingHere(Cache.default())


@pytest.fixture(scope="module")
def compiling_here(service_here: CompilingHere) -> Iterator[None]:
    """For a file whose tests are not about compiling processes: its robots do without them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_source, "compile_service", lambda: service_here)
        yield


@pytest.fixture
def graph() -> Iterator[Graph]:
    """A ROS graph of the test's own, cleaned up afterwards."""
    from ros_graph import Graph

    with closing(Graph()) as made:
        yield made
