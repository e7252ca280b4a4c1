"""URDF written down by tests: a robot of links and joints with numbers in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.description import load_model
from robodyn_ros.model import Model

ZERO = (0.0, 0.0, 0.0)


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def link(
    name: str,
    mass: float = 0.0,
    com: Sequence[float] = ZERO,
    inertia: np.ndarray | None = None,
    rpy: Sequence[float] = ZERO,
) -> str:
    """Return a link; inertia (3, 3) about the centre of mass, in axes turned by rpy."""
    I = np.zeros((3, 3)) if inertia is None else inertia  # noqa: E741  # the name of inertia
    moments = " ".join(
        f'i{"xyz"[i]}{"xyz"[j]}="{float(I[i, j])!r}"' for i in range(3) for j in range(i, 3)
    )
    return (
        f'<link name="{name}"><inertial><origin xyz="{_numbers(com)}" rpy="{_numbers(rpy)}"/>'
        f'<mass value="{mass!r}"/><inertia {moments}/></inertial></link>'
    )


def joint(
    name: str,
    parent: str,
    child: str,
    kind: str = "fixed",
    *,
    xyz: Sequence[float] = ZERO,
    rpy: Sequence[float] = ZERO,
    axis: Sequence[float] = (0.0, 1.0, 0.0),
    inside: str = "",
) -> str:
    """Return a joint; `inside` are further elements: mimic, dynamics."""
    limit = '<limit effort="100" velocity="10"/>' if kind in ("revolute", "prismatic") else ""
    return (
        f'<joint name="{name}" type="{kind}"><origin xyz="{_numbers(xyz)}" rpy="{_numbers(rpy)}"/>'
        f'<parent link="{parent}"/><child link="{child}"/><axis xyz="{_numbers(axis)}"/>'
        f"{limit}{inside}</joint>"
    )


def robot(*elements: str, base: str = "fixed") -> Model:
    """Return the model of a description of these links and joints."""
    text = f'<robot name="written">{"".join(elements)}</robot>'
    return load_model(text, base=base)  # type: ignore[arg-type]


def two_links(kind: str, joint: str = "", link: str = "", version: str = "1.0") -> Model:
    """Load base and tip with one joint "j" of type `kind` between them, with parts of their own."""
    return load_model(
        f'<robot name="r" version="{version}"><link name="base"/><link name="tip">{link}</link>'
        f'<joint name="j" type="{kind}"><parent link="base"/><child link="tip"/>{joint}</joint>'
        "</robot>"
    )


def note_texts(model: Model, category: str) -> list[str]:
    """Return the texts of a model's notes of a category."""
    return [note.text for note in model.notes if note.category == category]


def elementary_rotation(axis: int, angle: float) -> np.ndarray:
    """Return the rotation about a coordinate axis, 0 to 2, written out."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix
