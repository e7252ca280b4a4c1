"""Gazebo's own reader (`gz sdf`), where it is installed: the bodies are those that we expect."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from robodyn_ros.description.gazebo import GazeboSettings, gazebo_description
from robodyn_ros.spatial import rotation_from_rpy
from robots import example, label, usable_urdfs

GZ = shutil.which("gz")
pytestmark = pytest.mark.skipif(
    GZ is None, reason="GAZEBO IS NOT INSTALLED: its own reader is not asked"
)

PRINTED = 1e-6
"""Older versions print six digits."""
ROBOTS = ("panda.urdf", "ur5_robot.urdf", "baxter.urdf", "talos_reduced.urdf", "centauro.urdf")


@pytest.mark.parametrize("name", ROBOTS)
def test_gazebo_has_the_bodies_that_we_say(name: str, tmp_path: Path) -> None:
    settings = GazeboSettings(parameters_file=str(tmp_path / "c.yaml"), replace=True)
    made = gazebo_description(example(name), settings)
    file = tmp_path / name
    file.write_text(made.text)
    done = subprocess.run(
        [str(GZ), "sdf", "-p", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    model = ElementTree.fromstring(done.stdout).find("model")
    assert model is not None
    links = {link.get("name"): link.find("inertial") for link in model.iterfind("link")}
    assert links.keys() == {body.name for body in made.bodies}
    for body in made.bodies:
        inertial = links[body.name]
        assert float(inertial.findtext("mass")) == pytest.approx(body.mass, rel=PRINTED)
        pose = [float(word) for word in inertial.findtext("pose", "0 0 0 0 0 0").split()]
        np.testing.assert_allclose(pose[:3], body.com, atol=PRINTED)
        moments = {item.tag: float(item.text) for item in inertial.find("inertia")}
        inertia = np.array([[moments["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
        turn = rotation_from_rpy(pose[3:])
        largest = max(1.0, float(np.abs(body.inertia).max()))
        np.testing.assert_allclose(turn @ inertia @ turn.T, body.inertia, atol=PRINTED * largest)
    joints = {joint.get("name") for joint in model.iterfind("joint")}
    assert set(made.joints) | set(made.followers) <= joints


@pytest.mark.parametrize("path", usable_urdfs(), ids=label)
def test_gazebo_refuses_what_we_say_it_does(path: Path, tmp_path: Path) -> None:
    settings = GazeboSettings(parameters_file=str(tmp_path / "c.yaml"), replace=True)
    made = gazebo_description(path, settings)
    file = tmp_path / path.name
    file.write_text(made.text)
    done = subprocess.run([str(GZ), "sdf", "-k", str(file)], capture_output=True, check=False)
    is_refused = any("refuses" in line for line in made.lines("lost"))
    assert (done.returncode != 0) == is_refused
