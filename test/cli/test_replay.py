"""`robodyn replay`: what it writes and prints, and what it says of wrong input."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from bag_files import description, joint_state, stamps, states, write_bag
from robodyn_ros.cli.main import main
from robodyn_ros.robot import find_robot, load

ARM = ["--description", "demo_arm"]


@pytest.fixture
def bag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bag of the demo arm with efforts of its own model, in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    robot = load(find_robot("demo_arm"), compile="off")
    names = robot.model.coordinate_names
    t, q, v, a = states(200, len(names))
    efforts = robot.inverse_dynamics(q, v, a, friction=True)
    messages = [
        joint_state(names, q[k], v[k], efforts[k], stamp=s) for k, s in enumerate(stamps(t))
    ]
    text = find_robot("demo_arm").read_text(encoding="utf-8")
    return write_bag(tmp_path / "run", [description(text), *messages])


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return what --json prints, without a report."""
    assert main(["replay", *arguments, "--no-report", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    data: dict[str, Any] = json.loads(out)
    return data


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """Return the one line that is said of wrong input."""
    assert main(["replay", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("robodyn: ")
    assert err.count("\n") == 1
    return err


def test_a_bag_with_its_description_becomes_a_folder(bag: Path, capsys) -> None:
    assert main(["replay", str(bag)]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("demo_arm: 200 rows in 1.99 s")
    assert lines[-2:] == ["run-dynamics/dynamics.parquet", "run-dynamics/report.html"]
    assert err == ""
    assert sorted(x.name for x in Path("run-dynamics").iterdir()) == [
        "dynamics.parquet",
        "report.html",
    ]


def test_a_description_given_and_that_of_the_bag_say_the_same(bag: Path, capsys) -> None:
    own = told(capsys, str(bag), "--out", "a")
    given = told(capsys, str(bag), *ARM, "--out", "b")
    assert own["coordinates"] == given["coordinates"]
    assert own["rows"] == 200
    assert own["messages"]["messages"] == 200
    assert own["written"] == ["a/dynamics.parquet"]


def test_gravity_payloads_and_friction_are_those_of_the_robot(bag: Path, capsys) -> None:
    robot = load(find_robot("demo_arm"), compile="off")
    hand = robot.model.body_names[-1]
    robot.gravity = (1.0, 0.0, -9.0)
    robot.set_payload(hand, 1.5, (0.0, 0.0, 0.1))
    told(
        capsys,
        str(bag),
        *("--payload", f"{hand}:1.5:0,0,0.1", "--gravity", "1,0,-9", "--no-friction"),
        *("--acceleration", "none", "--out", "loaded"),
    )
    table = pyarrow.parquet.read_table("loaded/dynamics.parquet")
    _, q, v, _ = states(200, robot.model.nv)
    expected = robot.inverse_dynamics(q, v)
    for k, name in enumerate(robot.model.coordinate_names):
        assert table[f"{name}.effort"].to_numpy() == pytest.approx(expected[:, k], abs=1e-12)


def test_options_reach_the_replay(bag: Path, capsys) -> None:
    part = told(capsys, str(bag), "--start", "0.5", "--duration", "0.5", "--out", "part")
    assert part["rows"] == 50
    same = told(capsys, str(bag), "--start", "0.5", "--end", "1", "--out", "same")
    assert same["rows"] == 50
    amps = told(
        capsys, str(bag), "--effort-unit", "A", "--effort-gain", "joint1=2", "--out", "amps"
    )
    measured = [one["measured"] for one in amps["coordinates"]]
    assert measured[0] is not None
    assert not any(measured[1:])
    assert sum("reported in A" in note for note in amps["notes"]) == len(measured) - 1
    driver = told(capsys, str(bag), "--driver-compensates-gravity", "--out", "driver")
    assert any("driver compensates gravity" in line for line in driver["method"])
    still = told(capsys, str(bag), "--base", "floating", "--rest", "neutral", "--out", "floating")
    assert len(still["coordinates"]) == len(amps["coordinates"]) + 6


def test_bodies_and_formats(bag: Path, capsys) -> None:
    written = told(capsys, str(bag), "--bodies", "base_link", "--format", "csv, mcap")["written"]
    assert [Path(x).name for x in written] == ["bodies.csv", "dynamics.csv", "dynamics.mcap"]


def test_a_folder_is_replaced_only_if_asked_to(bag: Path, capsys) -> None:
    told(capsys, str(bag))
    assert "'run-dynamics' is there already" in complaint(capsys, str(bag))
    told(capsys, str(bag), "--force")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nowhere"], "there is no bag 'nowhere'"),
        (["run", "--description", "nobody"], "nobody"),
        (["run", "--payload", "joint1:1"], "no frame is called"),
        (["run", "--topic", "/other"], "'/other' is not in the bag"),
        (["run", "--end", "1", "--duration", "1"], "--end and --duration say the same"),
        (["run", "--duration", "0"], "--duration must be more than 0 s"),
        (["run", "--effort-gain", "joint1=x"], "--effort-gain"),
        (["run", "--effort-unit", "A", "--effort-unit", "Nm"], "has one already"),
        (["run", "--effort-unit", "elbow=A"], "no joint with an effort is called 'elbow'"),
        (["run", "--format", "xls"], "csv, parquet, mcap, got 'xls'"),
        (["run", "--bodies", "hand"], "no body is called 'hand'"),
        (["run", "--out", "no/where"], "there is no folder 'no'"),
        (["run", "--filter-time-constant", "-1"], "filter time constant"),
        (["run", "--base", "floating"], "does not tell"),
        (["run", "--set", "m1=2"], "only a mechanism file has parameters"),
    ],
)
def test_wrong_input_is_one_line(bag: Path, capsys, arguments: list[str], text: str) -> None:
    assert text in complaint(capsys, *arguments)
    assert sorted(x.name for x in Path.cwd().iterdir()) == ["run"]


def test_interrupted_it_leaves_nothing(bag: Path) -> None:
    robot = load(find_robot("demo_arm"), compile="off")
    names = robot.model.coordinate_names
    many = write_bag(
        Path("many"),
        (
            joint_state(names, np.zeros(len(names)), np.zeros(len(names)), stamp=10**9 + k * 10**6)
            for k in range(20_000)
        ),
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "robodyn_ros.cli.main",
            "replay",
            str(many),
            *ARM,
            "--format",
            "csv",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 120.0
    while not list(Path.cwd().glob(".*.partial/*")) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")
    assert sorted(x.name for x in Path.cwd().iterdir()) == ["many", "run"]


def test_a_terminal_shows_how_far_it_is(bag: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "robodyn_ros.cli.main", "replay", str(bag), "--no-report"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    out, _ = process.communicate(timeout=120)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.returncode == 0
    assert b"200/200" in shown
    assert out.startswith(b"demo_arm: 200 rows")
