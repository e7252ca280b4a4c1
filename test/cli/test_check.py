"""`robodyn check`: what it prints and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from robodyn_ros.cli.main import main
from robodyn_ros.model.findings import Kind
from robots import OWN_ROBOTS

ERRORS = str(OWN_ROBOTS / "massless_tip.urdf")
WARNINGS = str(OWN_ROBOTS / "skew_axes.urdf")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["demo_arm"], 0),
        (["ur5"], 0),
        (["panda", "--strict"], 0),
        ([WARNINGS], 0),
        ([WARNINGS, "--strict"], 1),
        ([ERRORS], 1),
        ([ERRORS, "--strict"], 1),
        ([ERRORS, "--json"], 1),
    ],
)
def test_the_exit_code_says_whether_findings_count(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == code
    out, err = capsys.readouterr()
    assert out
    assert err == ""


def test_a_finding_is_a_line_with_its_place_and_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", ERRORS])
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "error: joint 'spin' (line 35): no link behind it has mass: it moves no inertia, and the"
        " mass matrix is singular; give the links behind it mass and inertia, or make it fixed"
        " [singular]"
    )
    assert [line.partition(":")[0] for line in lines] == ["error", "warning", "warning"]
    assert last == "robot 'massless_tip': 1 error, 2 warnings"


def test_the_docs_show_what_it_prints_and_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    main(["check", ERRORS])
    assert capsys.readouterr().out in docs
    assert all(f"| `{kind}` |" in docs for kind in get_args(Kind))


def test_nothing_is_said_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "demo_arm"])
    assert capsys.readouterr().out == "robot 'demo_arm': nothing to complain of\n"


def test_json_has_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", ERRORS, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["robot"] == "massless_tip"
    assert len(data["findings"]) == 3
    first = data["findings"][0]
    assert set(first) == {"severity", "kind", "element", "what", "remedy", "line"}
    assert (first["severity"], first["element"], first["line"]) == ("error", "joint 'spin'", 35)


def test_another_root_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """Seen from its tip, everything behind the spinning joint has mass."""
    assert main(["check", ERRORS, "--root", "tip"]) == 0
    assert "'spin' (line 35): no velocity" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "<robot>", "<robot name='r'/>", "no file"])
def test_what_cannot_be_read_is_one_line_and_exit_code_2(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.urdf"
    if text != "no file":
        path.write_text(text)
    assert main(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("robodyn: ")
    assert "bad.urdf" in line


def test_a_description_may_come_through_a_pipe() -> None:
    """It can be read only once."""
    command = [sys.executable, "-m", "robodyn_ros.cli.main", "check", "/dev/stdin"]
    done = subprocess.run(
        command, input=Path(ERRORS).read_text(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "1 error, 2 warnings" in done.stdout
