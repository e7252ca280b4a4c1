"""`robodyn identify`: from a bag to an overlay that a replay agrees with, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bag_files import description, joint_state, stamps, write_bag
from recorded_motion import Motion, fourier
from robodyn_ros.cli.main import main
from robodyn_ros.robot import Robot, load

NOISE = 0.05
TEXT = """<robot name="double"><link name="b"/>
<link name="u"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tip"/>
<joint name="j" type="continuous"><parent link="b"/><child link="u"/><axis xyz="0 1 0"/></joint>
<joint name="k" type="continuous"><parent link="u"/><child link="l"/><origin xyz="0.5 0 0"/>
<axis xyz="0 1 0"/></joint>
<joint name="t" type="fixed"><parent link="l"/><child link="tip"/><origin xyz="0.4 0 0"/></joint>
</robot>"""
Record = Callable[..., Path]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Return what writes a bag of a motion into the folder of the test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "double.urdf").write_text(TEXT, encoding="utf-8")

    def write(motion: Motion, name: str = "run", *, efforts: bool = True) -> Path:
        rows = zip(stamps(motion.t), motion.q, motion.v, motion.efforts, strict=True)
        messages = (
            joint_state(("j", "k"), q, v, effort if efforts else (), stamp=stamp)
            for stamp, q, v, effort in rows
        )
        return write_bag(tmp_path / name, [description(TEXT), *messages])

    return write


def real() -> Robot:
    """Return the arm as it is: with friction and a payload that are not described."""
    robot = load(TEXT, compile="off")
    robot.set_joint_parameters("j", friction=0.8, damping=0.4)
    robot.set_joint_parameters("k", friction=0.5, damping=0.2)
    robot.set_payload("tip", 0.6, (0.05, 0.0, 0.02), 1e-3 * np.eye(3))
    return robot


def motion(duration: float = 40.0) -> Motion:
    exact = fourier(real(), duration=duration, step=0.01, size=0.6)
    rng = np.random.default_rng(0)
    return Motion(
        exact.t,
        exact.q,
        exact.v + 1e-3 * rng.normal(size=exact.v.shape),
        exact.a,
        exact.efforts + NOISE * rng.normal(size=exact.v.shape),
    )


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    data: dict[str, Any] = json.loads(out)
    return data


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """Return the one line that is said of wrong input."""
    assert main(["identify", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("robodyn: ")
    assert err.count("\n") == 1
    return err


def residuals(capsys: pytest.CaptureFixture[str], given: str, out: str) -> list[float]:
    """Return what a replay leaves of the measured efforts, rms by joint."""
    found = told(capsys, "replay", "run", "--description", given, "--out", out, "--no-report")
    return [one["residual"]["rms"] for one in found["coordinates"]]


def test_friction_and_bodies_become_an_overlay_that_a_replay_agrees_with(
    record: Record, capsys
) -> None:
    record(motion())
    assert main(["identify", "run", "--description", "double.urdf", "--report", "r.html"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == (
        "double: base and friction from 4000 rows in 400 windows, 80 of them held out"
    )
    assert lines[-2:] == ["run-identified.yaml", "r.html"]
    assert any(line.startswith("excitation: condition number ") for line in lines)
    assert err == ""
    overlay = Path("run-identified.yaml").read_text(encoding="utf-8")
    assert 'urdf: "double.urdf"' in overlay
    joint = load("run-identified.yaml", compile="off").model.joint("j")
    assert joint.friction == pytest.approx(0.8, rel=0.05)
    assert joint.damping == pytest.approx(0.4, rel=0.05)
    before = residuals(capsys, "double.urdf", "before")
    after = residuals(capsys, "run-identified.yaml", "after")
    assert max(after) < 2.0 * NOISE
    assert all(x < 0.1 * y for x, y in zip(after, before, strict=True))
    page = Path("r.html").read_text(encoding="utf-8")
    for part in ('id="residuals"', 'id="friction"', 'id="parameters"', "friction over speed"):
        assert part in page
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "")


def test_a_payload_is_written_beside_the_urdf_of_the_bag(record: Record, capsys) -> None:
    record(motion())
    found = told(
        capsys, "identify", "run", "--what", "payload,friction", "--frame", "tip",
        "--output", "load.yaml",
    )  # fmt: skip
    assert found["payload"]["mass"]["value"] == pytest.approx(0.6, rel=0.02)
    assert found["payload"]["is_there"]
    assert found["identified"] == ["friction", "payload"]
    assert found["written"] == ["load.yaml", "load.urdf"]
    assert Path("load.urdf").read_text(encoding="utf-8") == TEXT
    assert max(residuals(capsys, "load.yaml", "after")) < 2.0 * NOISE
    alone = told(capsys, "identify", "run", "--frame", "tip", "--output", "alone.yaml")
    assert any("friction does: 'j', 'k'; identify payload,friction" in x for x in alone["notes"])


def test_friction_alone_with_stribeck_and_all_of_the_bag(record: Record, capsys) -> None:
    record(motion())
    found = told(
        capsys, "identify", "run", "--what", "friction", "--stribeck", "--hold-out", "0",
        "--payload", "tip:0.6:0.05,0,0.02:0.001,0.001,0.001,0,0,0",
    )  # fmt: skip
    assert found["held_out"] == 0
    assert found["residuals"][0]["after_held_out"] is None
    assert [one["coulomb"]["value"] for one in found["friction"]] == pytest.approx(
        [0.8, 0.5], rel=0.05
    )
    assert "carried tip:0.6" in Path("run-identified.yaml").read_text(encoding="utf-8")


def test_a_driver_that_holds_the_weight_and_amperes_are_told(record: Record, capsys) -> None:
    recorded = motion()
    weight = real().gravity_force(recorded.q)
    held = Motion(recorded.t, recorded.q, recorded.v, recorded.a, recorded.efforts - weight)
    record(held, "held")
    notes = told(capsys, "identify", "held", "--what", "friction")["notes"]
    assert any("as if the driver held the weight itself" in note for note in notes)
    amps = Motion(recorded.t, recorded.q, recorded.v, recorded.a, 0.05 * recorded.efforts)
    record(amps, "amps")
    notes = told(capsys, "identify", "amps")["notes"]
    assert any("multiple of the model's" in note for note in notes)
    gains = ("--effort-unit", "A", "--effort-gain", "20", "--output", "gained.yaml")
    again = told(capsys, "identify", "amps", *gains)
    assert again["notes"] == []
    assert again["friction"][0]["coulomb"]["value"] == pytest.approx(0.8, rel=0.05)


def test_files_are_replaced_only_if_asked_to(record: Record, capsys) -> None:
    record(motion(10.0))
    told(capsys, "identify", "run")
    assert "'run-identified.yaml' is there already" in complaint(capsys, "run")
    told(capsys, "identify", "run", "--force")


def test_bags_that_tell_nothing(record: Record, capsys) -> None:
    recorded = motion(10.0)
    record(recorded, "silent", efforts=False)
    assert "the recording has no measured efforts" in complaint(capsys, "silent")
    lost = Motion(*(x[:5] for x in (recorded.t, recorded.q, recorded.v, recorded.a)),
                  recorded.efforts[:5])  # fmt: skip
    record(lost, "short")
    assert "too short: the recording has" in complaint(capsys, "short")
    nan = Motion(recorded.t, recorded.q, recorded.v, recorded.a, np.nan * recorded.efforts)
    record(nan, "nan")
    assert "the recording has no measured efforts" in complaint(capsys, "nan")
    zero = np.zeros_like(recorded.v)
    still = Motion(recorded.t, zero + 0.3, zero, zero, zero + 1.0)
    record(still, "still")
    assert "not excited: none of the joints with measured efforts moves ('j', 'k')" in complaint(
        capsys, "still"
    )
    constant = Motion(
        0.0 * recorded.t + 5.0, *(getattr(recorded, x) for x in ("q", "v", "a", "efforts"))
    )
    record(constant, "constant")
    assert "only 1 of 1000 messages can be used: do their stamps increase?" in complaint(
        capsys, "constant"
    )
    mute = Motion(recorded.t, recorded.q, recorded.v, recorded.a, 0.0 * recorded.efforts)
    record(mute, "mute")
    assert "all measured efforts are 0" in complaint(capsys, "mute")
    record(recorded, "amps")
    unit = complaint(capsys, "amps", "--effort-unit", "A")
    assert "no measured efforts: nothing can be identified; those of 'j' are reported in A" in unit
    assert [x.name for x in Path.cwd().iterdir() if x.suffix == ".yaml"] == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nowhere"], "there is no bag 'nowhere'"),
        (["run", "--what", "mass"], "--what must be base, friction, payload or all, got 'mass'"),
        (["run", "--what", "payload"], "a payload needs the frame that carries it"),
        (["run", "--what", "base,payload", "--frame", "tip"], "cannot be told from"),
        (["run", "--frame", "toe"], "'toe'"),
        (["run", "--frame", "b"], "frame 'b' does not move"),
        (["run", "--hold-out", "1"], "hold-out must be a share from 0 to 0.9, got 1"),
        (["run", "--window", "0"], "the window must be more than 0"),
        (["run", "--rest-speed", "-1"], "the rest speed must be 0 to 100"),
        (["run", "--output", "over.urdf"], "'over.urdf' must end in .yaml or .yml"),
        (["run", "--output", "no/over.yaml"], "there is no folder 'no'"),
        (["run", "--report", "r.pdf"], "'r.pdf' must end in .html"),
        (["run", "--what", "friction", "--armature"], "armature is identified with base"),
    ],
)
def test_wrong_input_is_one_line(record: Record, capsys, arguments: list[str], text: str) -> None:
    record(motion(3.0))
    assert text in complaint(capsys, *arguments)
    assert sorted(x.name for x in Path.cwd().iterdir()) == ["double.urdf", "run"]
