"""All 69 URDFs of example-robot-data: 67 load, two give their one clear error."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError

BAD = {
    "ur3.urdf": "line 6: the robot has no links",
    "alex_psyonic_hands.urdf": "'Left_index_q2' (line 1037) mimics joint 'index_q1'",
}


def example_robots() -> list[Path]:
    """Return the URDFs of example-robot-data, or none where it is not installed."""
    try:
        package = distribution("example-robot-data")
    except PackageNotFoundError:
        return []
    folder = package.locate_file("cmeel.prefix/share/example-robot-data/robots")
    return sorted(Path(str(folder)).rglob("*.urdf"))


ROBOTS = example_robots()
GOOD = [path for path in ROBOTS if path.name not in BAD]
needs_data = pytest.mark.skipif(
    not ROBOTS, reason="PACKAGE example-robot-data IS NOT INSTALLED: 69 robots go untested"
)


@needs_data
def test_there_are_69_of_which_67_are_good() -> None:
    assert (len(ROBOTS), len(GOOD)) == (69, 67)


@needs_data
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_an_example_loads_whole(path: Path, base: str, capfd: pytest.CaptureFixture[str]) -> None:
    model = load_model(path, base=base)  # type: ignore[arg-type]
    assert capfd.readouterr() == ("", "")
    # An independent count, straight from the file.
    root = etree.parse(path).getroot()
    links = [link.get("name") for link in root.findall("link")]
    joints = {joint.get("name"): joint for joint in root.findall("joint")}
    assert set(links) <= set(model.body_names)
    assert model.nb == len(links) + (base == "floating")
    masses = [float(mass.get("value")) for mass in root.iterfind("link/inertial/mass")]
    assert sum(body.mass for body in model.bodies) == pytest.approx(sum(masses), rel=1e-12)
    moving = {
        name
        for name, joint in joints.items()
        if joint.get("type") != "fixed" and joint.find("mimic") is None
    }
    assert set(model.joint_names[base == "floating" :]) == moving
    for name, joint in joints.items():
        loaded = model.joint(name)
        assert loaded.joint.type_name == joint.get("type")
        assert model.body_names[loaded.parent] == joint.find("parent").get("link")
        assert abs(np.linalg.det(loaded.rotation) - 1.0) < 1e-12


@needs_data
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_an_example_gives_the_same_model_as_text_and_as_path(path: Path) -> None:
    by_path, by_bytes = load_model(path), load_model(path.read_bytes())
    by_text = load_model(path.read_text(encoding="utf-8"))
    assert by_path.fingerprint == by_bytes.fingerprint == by_text.fingerprint
    assert by_path.notes == by_text.notes


@needs_data
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_notes_are_few_and_never_repeat_an_element_of_a_kind(path: Path) -> None:
    notes = load_model(path).notes
    assert len(notes) <= 30
    assert len(set(notes)) == len(notes)
    assert {note.category for note in notes} <= {"ignored", "assumed", "limits"}


@needs_data
@pytest.mark.parametrize("name", BAD)
def test_the_two_bad_ones_give_one_clear_line(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    (path,) = [path for path in ROBOTS if path.name == name]
    with pytest.raises(DescriptionError) as caught:
        load_model(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert BAD[name] in message
    assert "\n" not in message
    assert capfd.readouterr() == ("", "")
