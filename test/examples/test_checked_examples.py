"""Shipped mechanism files: nothing in them hurts dynamics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.description.findings import described_findings

FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_no_error_and_moves_from_where_it_begins(path: Path) -> None:
    _, found = described_findings(path)
    assert [finding for finding in found if finding.severity == "error"] == []
    robot = load(path, compile="off")
    q, v = robot.initial_state
    a = robot.forward_dynamics(q, v, np.zeros_like(v), friction=True)
    assert np.all(np.isfinite(a))
    assert robot.inverse_dynamics(q, v, a) == pytest.approx(
        -robot.effort_terms(q, v, a).friction, abs=1e-8
    )
