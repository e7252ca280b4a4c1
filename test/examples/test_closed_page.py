"""docs/closed_mechanisms.md: every file in it loads, and its Python runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "closed_mechanisms.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", FILES, ids=lambda text: text.splitlines()[1])
def test_files_load_closed(text: str) -> None:
    robot = rd.load(text, compile="off")
    assert robot.model.is_closed
    assert np.abs(robot.constraint_residual(robot.initial_state[0])).max() < 1e-11
    assert robot.mobility > 0


def test_there_is_a_file_for_every_way_to_close() -> None:
    for section in ("loops", "constraints", "controls", "actuated"):
        assert any(re.search(rf"^{section}:", text, re.MULTILINE) for text in FILES)
    assert len(CODE) > 4


def test_code_runs_and_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for block in CODE:
        exec(compile(block.replace('.yaml")', '.yaml", compile="off")'), "page", "exec"), names)
    robot, tau = names["robot"], names["tau"]
    assert robot.model.coordinate_names == ("motor", "crank_pin", "pivot", "rocker_pin")
    assert (robot.mobility, robot.independent_names) == (1, ("motor",))
    assert names["motion"].v[0] == 2.0
    assert names["motion"].v[1:].all()
    assert tau[0] != 0.0
    assert not tau[1:].any()
    assert names["a"] == pytest.approx(names["motion"].a, abs=1e-9)
    assert names["forces"].shape == (6,)
    assert list(robot.model.closure.rows_of("rocker_pin")) == list(range(6))
    assert names["turned"].residual < 1e-9
    assert len(names["stroke"]) == 40
    assert names["trajectory"].relative_energy_drift < 1e-8
