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
