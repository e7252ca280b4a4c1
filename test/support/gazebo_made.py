"""Descriptions written down by tests, made ready for Gazebo."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from robodyn_ros.description.gazebo import (
    GazeboDescription,
    GazeboSettings,
    gazebo_description,
)
from urdf_text import joint, link

I = np.diag([0.02, 0.03, 0.04])  # noqa: E741  # the name of inertia
BASE, ARM, HAND = (link(name, 1.0, (0.1, 0.0, 0.0), I) for name in ("base", "arm", "hand"))
SHOULDER = joint("shoulder", "base", "arm", "continuous")
MOUNT = joint("mount", "arm", "hand", xyz=(0.5, 0.0, 0.0))


def text(*elements: str, name: str = ' name="r"') -> str:
    return f"<robot{name}>{''.join(elements)}</robot>"


def wrapped(source: str | Path, **settings: object) -> GazeboDescription:
    chosen = {"parameters_file": "/etc/c.yaml", **settings}
    return gazebo_description(source, GazeboSettings(**chosen))  # type: ignore[arg-type]


def tree(description: GazeboDescription) -> ElementTree.Element:
    return ElementTree.fromstring(description.text)


def limits(description: GazeboDescription, name: str) -> dict[str, str]:
    found = tree(description).find(f"joint[@name='{name}']/limit")
    return {} if found is None else dict(found.attrib)
