"""Things that are fixed in links: frames, masses, markers, payloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Payload
from robodyn_ros.model.inertia_ellipsoid import (
    REACH,
    SMALLEST,
    inertia_ellipsoid,
    sphere_diameter,
)
from robodyn_ros.viewer.layer import Nodes
from robodyn_ros.viewer.links import Links, node_name
from robodyn_ros.viewer.poses import wxyz
from robodyn_ros.viewer.settings import COLORS, Rgb, SceneSettings

Floats = NDArray[np.float64]

_WIDTH_SHARE = 0.04
_CLEAR = 0.35
"""Opacity of what would hide the link that it belongs to."""
_DENSITY = 2000.0
"""Of the spheres that stand for payloads, kg/m^3."""


def frames(links: Links, settings: SceneSettings) -> Nodes:
    """Yield the axes of every link, x red, y green, z blue."""
    size = settings.frame_size
    for body, path in _seen(links):
        yield (
            body,
            links.page.server.scene.add_frame(
                f"{path}/frame",
                axes_length=size,
                axes_radius=_WIDTH_SHARE * size,
                origin_radius=1.5 * _WIDTH_SHARE * size,
            ),
        )


def names(links: Links) -> Nodes:
    """Yield the name of every link."""
    for body, path in _seen(links):
        yield body, _label(links, f"{path}/name", links.model.bodies[body].name)


def centers_of_mass(links: Links, settings: SceneSettings) -> Nodes:
    """Yield a sphere at the centre of mass of every link that has a mass, as heavy as it is."""
    for body, path in _seen(links):
        described = links.model.bodies[body]
        diameter = sphere_diameter(described.mass, settings.density) if described.mass > 0 else 0.0
        if SMALLEST <= diameter <= REACH:
            where = f"{path}/center_of_mass"
            yield body, _sphere(links, where, described.com, diameter, "centers_of_mass")


def ellipsoids(links: Links) -> Nodes:
    """Yield the solid ellipsoid of every link that has its mass and inertia."""
    for body, path in _seen(links):
        described = links.model.bodies[body]
        ellipsoid = inertia_ellipsoid(described)
        if ellipsoid is not None:
            yield (
                body,
                links.page.server.scene.add_icosphere(
                    f"{path}/inertia",
                    radius=1.0,
                    scale=_triple(ellipsoid.semi_axes),
                    position=described.com,
                    wxyz=wxyz(ellipsoid.quaternion),
                    color=COLORS["inertia"],
                    opacity=_CLEAR,
                    cast_shadow=False,
                ),
            )


def markers(links: Links, settings: SceneSettings) -> Nodes:
    """Yield a sphere for every marker that is a point, an arrow for a direction."""
    for made in links.model.markers:
        path = f"{links.paths[made.body]}/markers/{node_name(made.name)}"
        if made.kind == "position":
            node = _sphere(links, path, made.vector, settings.marker_size, "point")
        else:
            tip = settings.axis_length * made.vector
            node = add_arrows(
                links, path, np.array([[np.zeros(3), tip]]), COLORS["direction"], settings
            )
        yield made.body, node


def payloads(links: Links, carried: Sequence[Payload]) -> Nodes:
    """Yield a sphere for every payload at its centre of mass, and what it is called and weighs."""
    for number, payload in enumerate(carried):
        frame = links.model.frame(payload.frame)
        position = frame.position + frame.rotation @ payload.com
        diameter = sphere_diameter(payload.mass, _DENSITY) if payload.mass > 0.0 else 0.0
        if not (SMALLEST <= diameter <= REACH) or not (np.abs(position) <= REACH).all():
            continue
        path = f"{links.paths[frame.body]}/payloads/{number}"
        yield frame.body, _sphere(links, path, position, diameter, "payloads")
        text = f"{payload.name}: {payload.mass:.4g} kg"
        yield frame.body, _label(links, f"{path}/name", text)


def add_arrows(links: Links, path: str, points: Floats, color: Rgb, settings: SceneSettings) -> Any:
    """Return a new node of arrows from and to points (n, 2, 3), m."""
    width = settings.arrow_width
    return links.page.server.scene.add_arrows(
        path,
        points,
        color,
        shaft_radius=0.5 * width,
        head_radius=1.2 * width,
        head_length=3.0 * width,
    )


def _sphere(links: Links, path: str, position: Floats, diameter: float, color: str) -> Any:
    return links.page.server.scene.add_icosphere(
        path,
        radius=0.5 * diameter,
        position=position,
        color=COLORS[color],
        subdivisions=2,
        cast_shadow=False,
    )


def _label(links: Links, path: str, text: str) -> Any:
    return links.page.server.scene.add_label(path, text, anchor="bottom-left")


def _seen(links: Links) -> list[tuple[int, str]]:
    """Return numbers and paths of the bodies that are seen."""
    bodies = enumerate(links.model.bodies)
    return [(k, links.paths[k]) for k, body in bodies if not body.auxiliary]


def _triple(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
