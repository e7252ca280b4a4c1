"""What a replay writes: tables and a bag with its numbers, a report that says them, or nothing."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest
from lxml import html
from rosbags.rosbag2 import Reader

from bag_files import STRING, Message, description, joint_state, stamps, states
from robodyn_ros.bags import Choices, lines_of, replay, write_replay
from robodyn_ros.bags.joint_dynamics_bag import (
    DEFINITION,
    FIELDS,
    MESSAGE,
    TOPIC,
    joint_dynamics_types,
)
from robodyn_ros.bags.report_page import number
from robodyn_ros.bags.tables import COLUMNS, MOTION
from robodyn_ros.errors import ArgumentError, RobodynError, UnknownNameError
from robodyn_ros.robot import find_robot, load

FORMATS = ("csv", "parquet", "mcap")


def array(block, name: str) -> np.ndarray:
    return block.terms[name] if name in block.terms else getattr(block, name)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_tables_have_a_column_for_each_term(make, arm, run, tmp_path: Path, kind: str) -> None:
    bag, out = make(run), tmp_path / "out"
    summary = write_replay(replay(bag, arm), out, formats=[kind], report=False)
    assert summary["written"] == [str(out / f"dynamics.{kind}")]
    read = pyarrow.csv.read_csv if kind == "csv" else pyarrow.parquet.read_table
    table = read(out / f"dynamics.{kind}")
    (block,) = list(replay(bag, arm))
    assert table["stamp"].to_pylist() == block.stamp.tolist()
    for k, name in enumerate(arm.model.coordinate_names):
        for column in COLUMNS:
            found = table[f"{name}.{column}"].to_numpy()
            assert found == pytest.approx(array(block, column)[:, k], abs=1e-12, nan_ok=True)
    assert table["kinetic_energy"].to_numpy() == pytest.approx(block.kinetic)
    assert table["power"].to_numpy() == pytest.approx((block.effort * block.velocity).sum(axis=1))


def test_bodies_have_a_table_of_their_own(make, arm, run, tmp_path: Path) -> None:
    bag, out = make(run), tmp_path / "out"
    body = arm.model.body_names[-1]
    write_replay(replay(bag, arm, Choices(bodies=True)), out, bodies=[body], report=False)
    table = pyarrow.parquet.read_table(out / "bodies.parquet")
    assert table.column_names == ["stamp", "time", "segment", *(f"{body}.{x}" for x in MOTION)]
    (block,) = list(replay(bag, arm))
    motion = arm.body_motion(block.q, block.velocity, block.acceleration)
    assert table[f"{body}.position.z"].to_numpy() == pytest.approx(motion.position[:, -1, 2])
    found = table[f"{body}.linear_acceleration.x"].to_numpy()
    assert found == pytest.approx(motion.linear_acceleration[:, -1, 0])


def test_the_bag_is_read_again_by_rosbags(make, arm, run, tmp_path: Path) -> None:
    bag, out = make(run), tmp_path / "out"
    write_replay(replay(bag, arm), out, formats=["mcap"], report=False)
    assert [file.name for file in out.iterdir()] == ["dynamics.mcap"]
    (block,) = list(replay(bag, arm))
    types = joint_dynamics_types()
    with Reader(out / "dynamics.mcap") as reader:
        messages = list(reader.messages())
        assert {x[0].topic for x in messages} == {TOPIC}
        assert [x[1] for x in messages] == block.stamp.tolist()
        for k, (_, stamp, data) in enumerate(messages):
            found = types.deserialize_cdr(data, MESSAGE)
            assert found.header.stamp.sec * 10**9 + found.header.stamp.nanosec == stamp
            assert found.names == list(arm.model.coordinate_names)
            for name in FIELDS:
                expected = np.zeros(arm.model.nv) if name == "external" else array(block, name)[k]
                assert np.array_equal(getattr(found, name), expected, equal_nan=True)
            assert found.valid.tolist() == block.valid[k].tolist()
            assert found.kinetic_energy == block.kinetic[k]
            assert found.potential_energy == block.potential[k]


def test_the_message_is_that_of_robodyn_interfaces() -> None:
    text = (Path(__file__).parents[2] / "interfaces" / "msg" / "JointDynamics.msg").read_text()
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    assert DEFINITION.split("\n")[:-1] == [line for line in lines if line]


def test_the_report_says_the_numbers(make, arm, run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary = write_replay(replay(make(run), arm), out)
    text = (out / "report.html").read_text(encoding="utf-8")
    page = html.document_fromstring(text)
    rows = page.xpath("//table[@id='efforts']//tbody/tr")
    assert len(rows) == arm.model.nv
    for row, one in zip(rows, summary["coordinates"], strict=True):
        cells = [cell.text_content() for cell in row]
        assert cells[0] == one["name"]
        assert cells[2] == number(one["effort"]["rms"])
        assert cells[6] == number(one["residual"]["rms"])
        assert cells[8] == "100 %"
    assert f"{summary['rows']}" in page.xpath("string(//table[@id='summary'])")
    assert len(page.xpath("//*[local-name()='svg']")) == arm.model.nv + 1
    assert all(x.get("role") == "img" for x in page.xpath("//*[local-name()='svg']"))
    links = [*page.xpath("//@src"), *(x for x in page.xpath("//@href") if not x.startswith("#"))]
    assert not links  # nothing is fetched
    assert "<script" not in text
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_statistics_are_those_of_the_rows(make, arm, run, tmp_path: Path) -> None:
    bag = make(run)
    summary = write_replay(replay(bag, arm), tmp_path / "out", report=False)
    (block,) = list(replay(bag, arm))
    one = summary["coordinates"][1]
    assert one["effort"]["rms"] == pytest.approx(np.sqrt(np.mean(block.effort[:, 1] ** 2)))
    assert one["measured"]["mean"] == pytest.approx(np.mean(block.measured[:, 1]))
    worst = int(np.argmax(np.abs(block.residual[:, 1])))
    assert one["residual"]["worst"] == block.residual[worst, 1]
    assert one["residual"]["worst_time"] == block.time[worst]
    power = block.effort[1:, 1] * block.velocity[1:, 1] * np.diff(block.time)
    assert one["work_done"] == pytest.approx(power[power > 0.0].sum())
    assert summary["rate"] == pytest.approx(300 / 2.99)
    assert summary["duration"] == pytest.approx(2.99)
    assert "largest residual" in lines_of(summary)[-1]


def test_limits_exceeded_are_told(make, tmp_path: Path) -> None:
    text = (
        '<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="3"/></joint></robot>'
    )
    t = 0.01 * np.arange(400)
    q = 1.5 * np.sin(t)
    messages = [
        joint_state(["turn"], [q[k]], [1.5 * np.cos(t[k])], [4.0 if k == 7 else 0.0], stamp=s)
        for k, s in enumerate(stamps(t))
    ]
    summary = write_replay(replay(make(messages), load(text, compile="off")), tmp_path / "o")
    position, effort = summary["coordinates"][0]["beyond"]
    out = np.abs(q) > 1.0
    assert position["kind"] == "position"
    assert position["rows"] == out.sum()
    assert position["share"] == pytest.approx(out.mean())
    assert position["first_time"] == pytest.approx(t[np.argmax(out)])
    assert position["worst"] == pytest.approx(q[np.argmax(np.abs(q))])
    assert (effort["kind"], effort["worst"], effort["first_time"]) == ("measured effort", 4.0, 0.07)
    page = html.document_fromstring((tmp_path / "o" / "report.html").read_text())
    cells = [x.text_content() for x in page.xpath("//table[@id='limits']//tbody/tr[1]/*")]
    assert cells[:4] == ["turn", "position", number(position["worst"]), "-1 to 1"]


def test_names_are_text_and_nothing_else(make, tmp_path: Path) -> None:
    name = "<b onclick='x'>$\\frac{1}$&amp;\u0000"[:-1]
    quoted = "&lt;b onclick='x'&gt;$\\frac{1}$&amp;amp;"
    text = (
        f'<robot name="{quoted}"><link name="base"/><link name="arm"/>'
        f'<joint name="{quoted}" type="continuous"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 0 1"/></joint></robot>'
    )
    messages = [joint_state([name, "</script>"], [0.1 * k, 0.0], stamp=k) for k in range(1, 9)]
    write_replay(replay(make(messages), load(text, compile="off")), tmp_path / "o")
    page = html.document_fromstring((tmp_path / "o" / "report.html").read_text(encoding="utf-8"))
    assert not page.xpath("//b")
    assert not page.xpath("//@onclick")
    assert page.xpath("string(//h1)") == name
    assert name in page.xpath("string(//svg//title[1])") or page.xpath("//h3")[0].text == name


def test_a_folder_that_is_there_is_not_touched(make, arm, run, tmp_path: Path) -> None:
    out, bag = tmp_path / "out", make(run)
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(ArgumentError, match=r"is there already.*--force"):
        write_replay(replay(bag, arm), out)
    write_replay(replay(bag, arm), out, report=False, force=True)
    assert sorted(x.name for x in out.iterdir()) == ["dynamics.parquet", "mine.txt"]
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ArgumentError, match="is a file"):
        write_replay(replay(bag, arm), file)
    with pytest.raises(ArgumentError, match="there is no folder"):
        write_replay(replay(bag, arm), tmp_path / "no" / "where")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ArgumentError, MemoryError])
def test_what_is_interrupted_leaves_nothing(make, arm, run, tmp_path: Path, error) -> None:
    one = replay(make(run), arm)

    def interrupt(count: int) -> None:
        raise error

    one.progress = interrupt
    before = sorted(tmp_path.iterdir())
    with pytest.raises(error):
        write_replay(one, tmp_path / "out", formats=FORMATS)
    assert sorted(tmp_path.iterdir()) == before


def test_formats_and_bodies_that_there_are_not(make, arm, run, tmp_path: Path) -> None:
    one = replay(make(run), arm)
    with pytest.raises(ArgumentError, match="csv, parquet, mcap, got 'xlsx'"):
        write_replay(one, tmp_path / "out", formats=["xlsx"])
    with pytest.raises(UnknownNameError, match="no body is called 'hand'"):
        write_replay(one, tmp_path / "out", bodies=["hand"])


@pytest.mark.parametrize("kind", FORMATS)
def test_a_full_disk_is_one_clear_error(make, arm, run, tmp_path: Path, kind: str) -> None:
    bag = make(run)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(RobodynError, match=r"cannot be written: .*; make room"):
            write_replay(replay(bag, arm), tmp_path / "out", formats=[kind], report=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".*partial"))


def test_a_robot_without_coordinates(make, tmp_path: Path) -> None:
    robot = load('<robot name="stone"><link name="base"/></robot>', compile="off")
    with pytest.raises(ArgumentError, match="robot 'stone' has no coordinates"):
        write_replay(replay(make([joint_state(["a"], [1.0])]), robot), tmp_path / "out")


MEMORY = """
import resource, sys
from robodyn_ros.bags import replay, write_replay
from robodyn_ros.robot import load
robot = load(sys.argv[2], compile="wait")
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
write_replay(replay(sys.argv[1], robot), sys.argv[3] + "/one", report=False)
first = peak()
write_replay(replay(sys.argv[4], robot), sys.argv[3] + "/two", report=False)
print(first, peak())
"""


def test_memory_does_not_grow_with_the_bag(make, arm, tmp_path: Path) -> None:
    names = arm.model.coordinate_names
    t, q, v, _ = states(1000, len(names), 0.001)
    data = [joint_state(names, q[k], v[k]) for k in range(1000)]
    first, period = stamps(t)[0], 10**6
    offset = data[0].data.index((first // 10**9).to_bytes(4, "little"))

    def message(k: int) -> Message:
        stamp = first + k * period
        seconds, rest = divmod(stamp, 10**9)
        body = bytearray(data[k % 1000].data)
        body[offset : offset + 8] = seconds.to_bytes(4, "little") + rest.to_bytes(4, "little")
        return data[0]._replace(received=stamp, data=bytes(body))

    short = make((message(k) for k in range(20_000)), "short")
    long = make((message(k) for k in range(200_000)), "long")
    file = tmp_path / "arm.urdf"
    file.write_text(find_robot("demo_arm").read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(short), str(file), str(tmp_path), str(long)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    before, after = map(float, done.stdout.split())
    assert after - before < 60.0  # MB, of 180 000 rows that would take 200


def test_other_topics_do_not_matter(make, arm, run) -> None:
    with_text = make([description("x"), *run])
    one = replay(with_text, arm)
    assert sum(map(len, one)) == 300
    assert all(kind != STRING for _, kind in one.topics)
