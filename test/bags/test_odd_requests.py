"""Requests, folders and descriptions that are odd: one clear error, and nothing half-written."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from bag_files import START, description, joint_state
from robodyn_ros.bags import BagFile, Choices, recorded_descriptions, replay, write_replay
from robodyn_ros.bags.rows import RowMerger
from robodyn_ros.bags.summary import percent
from robodyn_ros.cli.main import main
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError, RobodynError


@pytest.mark.parametrize("end", [5.0, 1e10, 1e300])
def test_an_end_behind_the_bags_is_the_bags(make, arm, run, end: float) -> None:
    assert sum(map(len, replay(make(run), arm, Choices(end=end)))) == len(run)


def test_nothing_to_write_is_no_replay(make, arm, run, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="nothing is to be written"):
        write_replay(replay(make(run), arm), tmp_path / "out", formats=[], report=False)
    assert not (tmp_path / "out").exists()


def test_no_file_is_replaced_where_one_of_them_cannot_be(make, arm, run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "dynamics.parquet").mkdir(parents=True)
    (out / "dynamics.csv").write_text("earlier")
    both = ["csv", "parquet"]
    with pytest.raises(RobodynError, match="cannot be written"):
        write_replay(replay(make(run), arm), out, formats=both, report=False, force=True)
    assert (out / "dynamics.csv").read_text() == "earlier"
    assert not list(tmp_path.glob(".*partial"))


def test_links(make, arm, run, tmp_path: Path) -> None:
    one = replay(make(run), arm)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    for name in ("loop", "nowhere"):
        with pytest.raises(ArgumentError, match=r"leads nowhere|cannot be written"):
            write_replay(one, tmp_path / name, report=False)
    folder, victim = tmp_path / "folder", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("victim")
    (folder / "dynamics.parquet").symlink_to(victim)
    (tmp_path / "there").symlink_to(folder)
    write_replay(one, tmp_path / "there", report=False, force=True)
    assert victim.read_text() == "victim"
    assert not (folder / "dynamics.parquet").is_symlink()


def test_a_bag_is_not_written_over(make, arm, run) -> None:
    bag = make(run, "dynamics")
    file = bag / "dynamics.mcap"
    before = file.read_bytes()
    for source in (bag, file):
        with pytest.raises(ArgumentError, match="is where the bag is"):
            write_replay(replay(source, arm), bag, formats=["mcap"], report=False, force=True)
    assert file.read_bytes() == before


@pytest.mark.parametrize("of", ["file", "pipe", "name"])
def test_a_description_in_a_bag_is_a_text_and_never_a_path(
    make, arm_text: str, run, tmp_path: Path, capsys, of: str
) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(arm_text)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    told = {"file": str(file), "pipe": str(pipe), "name": "demo_arm"}[of]
    bag, out = make([description(told), *run]), tmp_path / "out"
    assert main(["replay", str(bag), "--out", str(out), "--no-report"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_a_description_that_changes_is_told(
    make, arm_text: str, run, tmp_path: Path, capsys
) -> None:
    again = arm_text.replace("<robot ", "<robot  ", 1)
    texts = [arm_text, arm_text, again, arm_text]
    bag = make([*(description(x, received=START + k) for k, x in enumerate(texts)), *run[1:]])
    with BagFile(bag) as opened:
        assert recorded_descriptions(opened) == [arm_text, again]
    assert main(["replay", str(bag), "--out", str(tmp_path / "out"), "--no-report"]) == 0
    assert "has 2 different robot descriptions" in capsys.readouterr().err


def test_shapes_without_end_are_not_kept(make, arm) -> None:
    names = list(arm.model.coordinate_names)
    zeros = np.zeros(len(names) + 1)
    bag = make([joint_state([*names, f"x{k}"], zeros, stamp=START + k) for k in range(300)])
    with BagFile(bag) as opened:
        merger = RowMerger(opened, FramePlan(arm.model))
        topics = [("/joint_states", "sensor_msgs/msg/JointState")]
        for batch in opened.batches(topics, size=100):
            assert sum(len(rows.stamp) for _, rows in merger.merge(batch)) == 100
        assert len(merger._plans) <= 64


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.033, "3.3 %"), (0.9833, "98 %"), (0.9967, "99.67 %"), (1.0, "100 %")],
)
def test_shares(share: float, text: str) -> None:
    assert percent(share) == text
    assert percent(1.0 - 1e-9) == "99.99 %"
