"""Files with the motion of a prescribed base: good ones, and what is said of bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.conditioning.base_motion_file import read_base_motion
from robodyn_ros.errors import ArgumentError

CSV = """# a base that goes up
time, x, y, z, qx, qy, qz, qw, vx, vy, vz
0, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0
2, 1, 2, 5, 0, 0, 1, 1e-9, 0, 0, 2
"""
YAML = """
- {time: 0, position: [1, 2, 3], quaternion: [0, 0, 0, 1], velocity: [0, 0, 0]}
- {time: 2, position: [1, 2, 5], quaternion: [0, 0, 1, 1e-9], velocity: [0, 0, 2]}
"""


def written(tmp_path: Path, name: str, text: str) -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(("name", "text"), [("up.csv", CSV), ("up.yaml", YAML), ("up.YML", YAML)])
def test_both_kinds_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    program = read_base_motion(written(tmp_path, name, text))
    assert (program.start, program.duration) == (0.0, 2.0)
    middle, end = program.at(1.0), program.at(2.0)
    # The Hermite curve with 0 and 2 m/s at its ends, 2 m apart.
    assert middle.position == pytest.approx([1.0, 2.0, 3.5])
    assert middle.linear_velocity == pytest.approx([0.0, 0.0, 1.0])
    assert end.linear_velocity == pytest.approx([0.0, 0.0, 2.0])
    assert abs(end.quaternion[2]) == pytest.approx(1.0)


SPIN_CSV = """time, x, y, z, qx, qy, qz, qw, wx, wy, wz, dwx, dwy, dwz
0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.25
1, 0, 0, 0, 0, 0, 0.3090170, 0.9510565, 0, 0, 0.7, 0, 0, 0
"""
SPIN_YAML = """
- time: 0
  position: [0, 0, 0]
  quaternion: [0, 0, 0, 1]
  angular_velocity: [0, 0, 0.5]
  angular_acceleration: [0, 0, 0.25]
- time: 1
  position: [0, 0, 0]
  quaternion: [0, 0, 0.3090170, 0.9510565]
  angular_velocity: [0, 0, 0.7]
  angular_acceleration: [0, 0, 0]
"""


@pytest.mark.parametrize(("name", "text"), [("s.csv", SPIN_CSV), ("s.yaml", SPIN_YAML)])
def test_angular_rates_are_read_and_hold_at_their_rows(
    tmp_path: Path, name: str, text: str
) -> None:
    program = read_base_motion(written(tmp_path, name, text))
    start, end = program.at(0.0), program.at(1.0)
    assert start.angular_velocity == pytest.approx([0.0, 0.0, 0.5])
    assert start.angular_acceleration == pytest.approx([0.0, 0.0, 0.25])
    assert end.angular_velocity == pytest.approx([0.0, 0.0, 0.7])
    assert end.angular_acceleration == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert not program.doubts


def test_rates_in_degrees_are_doubted_with_column_and_time(tmp_path: Path) -> None:
    degrees = SPIN_CSV.replace("0, 0, 0.7", "0, 0, 40.1")
    (doubt,) = read_base_motion(written(tmp_path, "s.csv", degrees)).doubts[:1]
    assert doubt.startswith("column wz has 40.1 rad/s at time 1 s (row 2), but quaternions change")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.txt", "", "give a .csv or .yaml file"),
        ("a.csv", "", "its first line must name the columns"),
        ("a.csv", "time,x,y,z\n0,1,2,3\n", "its first line must name the columns"),
        ("a.csv", CSV.replace("vx, ", "wx, "), "must name the columns"),
        ("a.csv", CSV.replace("vx, vy, vz", "dwx, dwy, dwz"), "angular_acceleration needs angul"),
        ("a.yaml", YAML.replace("velocity: [0, 0, 2]", "spin: [0]"), "acceleration, angular_vel"),
        ("a.csv", CSV.replace("0, 1, 2, 3, 0", "0, 1, two, 3, 0"), "row 1: position must be 3"),
        ("a.csv", CSV + "3, 1\n", "row 3 has 2 numbers for 11 columns"),
        ("a.yaml", "a: 1", "must be a list of rows"),
        ("a.yaml", "- [", "it is no YAML"),
        ("a.yaml", "- {time: 0, position: [1, 2, 3]}", "row 1 must be a mapping with time"),
        ("a.yaml", YAML.replace("position: [1, 2, 5]", "position: [1, 2]"), "row 2: position"),
        ("a.yaml", YAML.replace(", velocity: [0, 0, 2]", ""), "row 2 has time, position"),
        ("a.yaml", "[]", "it has no rows"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_the_file(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(ArgumentError) as caught:
        read_base_motion(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"base_motion_file {path!r}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="it cannot be read: No such file"):
        read_base_motion(str(tmp_path / "none.csv"))


def test_a_loop_must_close(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="must end with the pose that it begins with"):
        read_base_motion(written(tmp_path, "up.csv", CSV), loop=True)
