"""Bags that cannot be used: one clear error each, which says what to do."""

from __future__ import annotations

import builtins
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from bag_files import JOINT_STATE, Message, description, joint_state, write_bag
from robodyn_ros.bags import (
    BagFile,
    Choices,
    Conditioning,
    EffortReports,
    recorded_description,
    replay,
)
from robodyn_ros.errors import ArgumentError, RobodynError, UnknownNameError


def data_file(bag: Path) -> Path:
    return next(x for x in bag.iterdir() if x.suffix in (".db3", ".mcap"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nowhere", "there is no bag .*nowhere"),
        ("text.txt", "is no bag: give a rosbag2 folder"),
        ("empty", "has no metadata.yaml: a rosbag2 folder has one"),
        ("nul\0", "there is no bag"),
        ("x" * 300, "cannot be read"),
    ],
)
def test_what_is_no_bag(tmp_path: Path, arm, name: str, text: str) -> None:
    (tmp_path / "text.txt").write_text("no bag")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArgumentError, match=text):
        replay(tmp_path / name, arm)


def test_a_folder_without_metadata_names_its_file(make, arm, run) -> None:
    bag = make(run)
    (bag / "metadata.yaml").unlink()
    with pytest.raises(ArgumentError, match=r"'ros2 bag reindex' .* 'bag.mcap'"):
        replay(bag, arm)


@pytest.mark.parametrize("storage", ["sqlite3", "mcap"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.98])
def test_truncated_files(make, arm, run, storage: str, share: float) -> None:
    bag = make(run, storage=storage)
    file = data_file(bag)
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(ArgumentError, match="cannot be read") as caught:
        list(replay(bag, arm))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("storage", ["sqlite3", "mcap"])
@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_give_rows_or_an_error(make, arm, run, storage: str, seed: int) -> None:
    bag = make(run, storage=storage)
    file = data_file(bag)
    data = bytearray(file.read_bytes())
    rng = np.random.default_rng(seed)
    for place in rng.integers(0, len(data), 200):
        data[place] = rng.integers(256)
    file.write_bytes(data)
    try:
        rows = sum(len(block) for block in replay(bag, arm))
    except ArgumentError as error:
        assert str(bag) in str(error) or "joint" in str(error)  # noqa: PT017
    else:
        assert 0 < rows <= 300


def test_damaged_metadata(make, arm, run) -> None:
    bag = make(run)
    (bag / "metadata.yaml").write_text("a: [")
    with pytest.raises(ArgumentError, match="cannot be read"):
        replay(bag, arm)


def test_a_bag_without_joint_states(make, arm) -> None:
    with pytest.raises(ArgumentError, match="has no topic of the type sensor_msgs/msg/JointState"):
        replay(make([description("x")]), arm)


def test_several_topics_have_to_be_chosen_from(make, arm, run) -> None:
    other = [x._replace(topic="/other") for x in run[:7]]
    bag = make([*run, *other])
    told = r"several JointState topics, name one by --topic: /joint_states \(300 .*/other \(7"
    with pytest.raises(ArgumentError, match=told):
        replay(bag, arm)
    assert sum(map(len, replay(bag, arm, Choices(topic="/other")))) == 7
    assert sum(map(len, replay(bag, arm, Choices(topic="other")))) == 7
    with pytest.raises(
        ArgumentError, match="'/nowhere' is not in the bag; JointState topics: /joint"
    ):
        replay(bag, arm, Choices(topic="/nowhere"))


def test_a_topic_without_messages_is_not_meant(make, arm, run) -> None:
    bag = make(run, topics=[("/silent", JOINT_STATE)])
    assert replay(bag, arm).topics == [("/joint_states", JOINT_STATE)]


def test_a_topic_of_another_type(make, arm, run) -> None:
    bag = make([description("x"), *run])
    with pytest.raises(ArgumentError, match="has the type std_msgs/msg/String"):
        replay(bag, arm, Choices(topic="/robot_description"))


def test_names_of_another_robot(make, arm) -> None:
    bag = make([joint_state(["shoulder", "elbow"], [0.0, 1.0])])
    told = "tells nothing of robot 'demo_arm': no name in a joint state is a joint .*'shoulder'"
    with pytest.raises(ArgumentError, match=told):
        list(replay(bag, arm))


def test_prefixed_names_say_which_joint_is_meant(make, arm) -> None:
    names = arm.model.coordinate_names
    bag = make([joint_state([f"left_{name}" for name in names], [0.0] * len(names))])
    with pytest.raises(ArgumentError, match=f"robot 'demo_arm' has a joint '{names[0]}'"):
        list(replay(bag, arm))


def test_joints_that_are_not_told_are_named(make, arm) -> None:
    names = arm.model.coordinate_names
    bag = make([joint_state(names[:-2], [0.0] * (len(names) - 2), stamp=k) for k in range(1, 9)])
    listed = ", ".join(f"'{name}'" for name in sorted(names[-2:]))
    with pytest.raises(ArgumentError, match=f"does not tell {listed} of robot 'demo_arm'"):
        list(replay(bag, arm))
    assert sum(map(len, replay(bag, arm, Choices(rest="neutral")))) == 8


def test_an_empty_topic_and_an_empty_time(make, arm, run) -> None:
    with pytest.raises(ArgumentError, match="there is no message on /joint_states"):
        list(replay(make([], "silent", topics=[("/joint_states", JOINT_STATE)]), arm))
    bag = make(run)
    with pytest.raises(ArgumentError, match=r"no message .* lasts from 0 to 2.99 s"):
        list(replay(bag, arm, Choices(start=0.5001, end=0.5002)))


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ({"start": -1.0}, "start must be a time of 0 s or more"),
        ({"end": float("nan")}, "end must be a time"),
        ({"start": 2.0, "end": 1.0}, r"end \(1 s\) must be after start \(2 s\)"),
        ({"start": 20.0}, "behind the bag's end, 2.99 s"),
        ({"efforts": EffortReports(units={"": "lb"})}, "must be Nm, N, A or unknown, got 'lb'"),
        ({"efforts": EffortReports(gains={"": 0.0})}, "must be a finite number other than 0"),
    ],
)
def test_choices_that_do_not_go(make, arm, run, choices: dict[str, object], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        replay(make(run), arm, Choices(**choices))  # type: ignore[arg-type]


def test_efforts_of_joints_that_there_are_not(make, arm, run) -> None:
    reports = EffortReports(units={"joint_1": "A"})
    with pytest.raises(UnknownNameError, match="did you mean 'joint1'"):
        replay(make(run), arm, Choices(efforts=reports))


def test_conditioning_that_cannot_be() -> None:
    with pytest.raises(ArgumentError, match="0 to 10 s"):
        Conditioning(filter_time_constant=-1.0)
    with pytest.raises(ArgumentError, match="0 s or more"):
        Conditioning(stale_after=float("nan"))


def test_messages_that_cannot_be_read_are_counted(make, arm, run) -> None:
    broken = [
        Message("/joint_states", JOINT_STATE, run[k].received, b"\0\1\0\0junk") for k in (3, 9)
    ]
    one = replay(make(sorted([*run, *broken], key=lambda x: x.received)), arm)
    assert sum(map(len, one)) == 300
    assert one.counts["unreadable"] == 2
    with pytest.raises(ArgumentError, match="no message on /joint_states can be read"):
        list(replay(make(broken, "broken"), arm))


def test_wrong_lengths_are_told(make, arm, run) -> None:
    names = arm.model.coordinate_names
    odd = joint_state(names, [0.0], [0.0] * len(names), stamp=run[-1].received + 10**7)
    one = replay(make([*run, odd]), arm)
    list(one)
    assert any("position has 1 entries for" in told for told in one.warnings)


def test_the_description_of_a_bag(make, run, arm_text: str) -> None:
    with BagFile(make([description(arm_text), *run], "one")) as bag:
        assert recorded_description(bag) == arm_text
    with BagFile(make(run, "none")) as bag, pytest.raises(ArgumentError, match="by --description"):
        recorded_description(bag)
    several = [description("a", "/r1/robot_description"), description("b", "/r2/robot_description")]
    with BagFile(make(several, "two")) as bag:
        assert recorded_description(bag, "/r2/joint_states") == "b"
        with pytest.raises(ArgumentError, match="several robot descriptions"):
            recorded_description(bag)


@pytest.mark.parametrize(
    ("module", "text"),
    [("rosbags", r"bags need rosbags: .*pip install 'robodyn_ros\[bags\]'")],
)
def test_what_is_not_installed(make, arm, run, monkeypatch, module: str, text: str) -> None:
    bag = make(run)
    require_absent(monkeypatch, module)
    with pytest.raises(RobodynError, match=text):
        replay(bag, arm)


def require_absent(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Have imports of a distribution fail as where it is not installed."""
    real = builtins.__import__

    def refuse(name: str, *arguments: object, **options: object) -> object:
        if name.partition(".")[0] == module:
            raise ImportError(f"No module named {module!r}")
        return real(name, *arguments, **options)  # type: ignore[arg-type]

    for name in list(sys.modules):
        if name.partition(".")[0] == module:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)


def test_a_missing_file_of_a_bag(make, arm, run) -> None:
    bag = make(run)
    shutil.move(data_file(bag), bag / "elsewhere")
    with pytest.raises(ArgumentError, match="missing"):
        replay(bag, arm)


def test_a_version_to_come(make, arm, run) -> None:
    bag = make(run)
    file = bag / "metadata.yaml"
    file.write_text(file.read_text().replace("version: 9", "version: 99"))
    with pytest.raises(ArgumentError, match="version 99 not supported"):
        replay(bag, arm)


def test_write_bag_is_what_rosbag2_reads(tmp_path: Path, run) -> None:
    with BagFile(write_bag(tmp_path / "b", run)) as bag:
        assert bag.topics(JOINT_STATE) == {"/joint_states": 300}
