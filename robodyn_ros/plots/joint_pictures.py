"""A picture of every joint type: both frames, the child as it moves, and the screws it moves along.

    python -m robodyn_ros.plots.joint_pictures docs/joints

writes TYPE.svg for each row of the catalogue. What is drawn comes from the joint contract; a type's
row here only says which joint is shown and how far it moves.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros import joints
from robodyn_ros.description.output_file import require_output_file
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import Cylindrical, DhElement, Gimbal, Joint, Prismatic
from robodyn_ros.joints.user_formulas import three_formulas
from robodyn_ros.plots.figures import PICTURES, pyplot_figure
from robodyn_ros.plots.skeleton import on_paper

Floats = NDArray[np.float64]


class Shown(NamedTuple):
    """The joint that stands for its type, and the rates that take it from neutral to the end."""

    joint: Joint
    step: tuple[float, ...]


_X, _Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
_DH = {"a": 1.1, "alpha": -0.6, "s": 0.7, "theta": 0.3}
_CAM = joints.UserDefined(
    ("u",),
    three_formulas("m", ("cos(u)", "sin(u)", 0.0), ("u",)),
    three_formulas("n", ("-sin(u)", "cos(u)", 0.0), ("u",)),
    three_formulas("a", ("0.6*u", "0.5*(1 - cos(2*u))", 0.0), ("u",)),
)

#: By type name, for every row of the catalogue.
PICTURED: Mapping[str, Shown] = MappingProxyType(
    {
        shown.joint.type_name: shown
        for shown in (
            Shown(joints.Fixed(), ()),
            Shown(joints.Revolute(_Z), (1.6,)),
            Shown(joints.Continuous(_Z), (4.0,)),
            Shown(Prismatic(_X), (1.2,)),
            Shown(joints.Planar(_Z), (1.0, 0.9, 0.9)),
            Shown(joints.Floating(), (0.3, 0.4, 0.8, 0.9, 0.6, 0.6)),
            Shown(joints.Translational(), (0.9, 0.8, 0.6)),
            Shown(joints.Spherical(), (0.9, -0.6, 1.3)),
            Shown(joints.Global(), (0.9, -0.6, 1.3)),
            Shown(joints.SixDof(), (0.9, 0.9, 0.6, 0.3, 0.4, 0.8)),
            Shown(Gimbal("23", inner=(_X,), outer=(_Z,)), (0.5, 0.7, 0.9, -0.6)),
            Shown(joints.Universal(), (-0.35, 0.7)),
            Shown(Cylindrical(_Z), (1.6, 0.8)),
            Shown(joints.Helical(_Z, pitch=0.1), (6.0,)),
            Shown(joints.DhRevolute(**_DH), (1.2,)),
            Shown(joints.DhPrismatic(**_DH), (0.9,)),
            Shown(joints.DhCylindrical(**_DH), (1.2, 0.7)),
            Shown(joints.DhHelical(**_DH, pitch=0.1), (6.0,)),
            Shown(_CAM, (1.9,)),
        )
    }
)

_GHOSTS = 4
"""Places of the child, the first and the last included."""
_BODY = np.array([[x, y, z] for x in (0.0, 0.75) for y in (-0.13, 0.13) for z in (-0.07, 0.07)])
_FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))
_PLATE = np.array([[-0.3, -0.3, 0], [0.3, -0.3, 0], [0.3, 0.3, 0], [-0.3, 0.3, 0.0]])
_AXIS_COLORS = ("#c62828", "#2e7d32", "#1565c0")
_RATE_COLORS = ("#8e24aa", "#e65100", "#00838f", "#6d4c41", "#ad1457", "#455a64")
_WIDTH, _LOWEST, _HIGHEST = 5.0, 2.6, 4.6
"""Size in inches: its height is what the drawing needs."""
_STILL = 1e-9


class Screw(NamedTuple):
    """What one rate does, seen from F: a turn about a line, maybe with a pitch, or a slide.

    Attributes:
        name: the rate's.
        point: (3,) on the line, nearest to the child's origin; for a slide, where its arrow begins.
        direction: (3,) a unit vector.
        pitch: m/rad; infinite for a slide.
    """

    name: str
    point: Floats
    direction: Floats
    pitch: float


def screws(joint: Joint, q: Floats) -> tuple[Screw, ...]:
    """Return the screw of every rate at coordinates q (nq,), in F's axes and from F's origin."""
    R, p = joint.pose(q)
    names = joint.axes or ("q",) * joint.nv
    found = []
    for name, V in zip(names, joint.motion_subspace(q).T, strict=True):
        turning, sliding = R @ V[:3], R @ V[3:]
        rate = float(np.linalg.norm(turning))
        if rate > _STILL:
            point = p + np.cross(turning, sliding) / rate**2
            found.append(Screw(name, point, turning / rate, float(turning @ sliding) / rate**2))
        else:
            begin = p if _goes_with_child(joint, name, sliding) else np.zeros(3)
            direction = sliding / np.linalg.norm(sliding)
            found.append(Screw(name, begin, direction, np.inf))
    return tuple(found)


def _goes_with_child(joint: Joint, name: str, sliding: Floats) -> bool:
    """Return whether a slider's arrow belongs to the child: alone, or its axis is fixed there."""
    if name.startswith("outer_") or isinstance(joint, (DhElement, Prismatic, Cylindrical)):
        return True
    neutral = joint.neutral()
    before = joint.pose(neutral)[0] @ joint.motion_subspace(neutral)[3:, joint.axes.index(name)]
    return bool(np.max(np.abs(before - sliding)) > _STILL)


def path(shown: Shown) -> Floats:
    """Return the coordinates (n, nq) of the places at which the child is drawn."""
    joint, step = shown
    parts = np.linspace(0.0, 1.0, _GHOSTS if joint.nv else 1)
    steps = np.multiply.outer(parts, np.array(step))
    return np.stack([joint.integrate(joint.neutral(), along) for along in steps])


def write_joint_picture(file: Path, type_name: str) -> None:
    """Write a joint type's picture as a .png, .svg or .pdf file; a .svg comes out the same again.

    Raises:
        UnknownNameError: the catalogue has no such type.
        ArgumentError: an ending that cannot be used.
        RobodynError: Matplotlib is not installed.
    """
    require_output_file(file, PICTURES)
    if type_name not in PICTURED:
        raise UnknownNameError.among("joint type", type_name, PICTURED)
    figure = pyplot_figure(_WIDTH, _HIGHEST)
    from matplotlib import rc_context

    _draw(figure, PICTURED[type_name])
    metadata = {"Date": None, "Creator": None} if file.suffix.lower() == ".svg" else None
    with rc_context({"svg.hashsalt": type_name, "svg.fonttype": "none"}):
        figure.savefig(file, metadata=metadata, dpi=100)


def _draw(figure: Any, shown: Shown) -> None:
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_aspect("equal", adjustable="datalim")
    axes.axis("off")
    joint, places = shown.joint, path(shown)
    _polygon(axes, _PLATE, "#9e9e9e", alpha=0.35, order=0.0)
    if isinstance(joint, DhElement):
        _link(axes, joint)
    for number, q in enumerate(places):
        R, p = joint.pose(q)
        strength = (number + 1.0) / len(places)
        corners = _BODY @ R.T + p
        for face in _FACES:
            _polygon(axes, corners[list(face)], "#546e7a", 0.15 * strength**1.5, 1.0 + strength)
    _frame(axes, np.eye(3), np.zeros(3), "F", order=5.0)
    _frame(axes, *joint.pose(places[-1]), "M", order=6.0)
    found = screws(joint, places[-1])
    for screw, distance, color in zip(found, _distances(found), _RATE_COLORS, strict=False):
        _screw(axes, screw, distance, color)
    extent = axes.dataLim
    height = 0.4 + _WIDTH * extent.height / extent.width
    figure.set_size_inches(_WIDTH, min(max(height, _LOWEST), _HIGHEST))
    axes.margins(0.07)
    axes.autoscale_view()


def _polygon(axes: Any, corners: Floats, color: str, alpha: float, order: float) -> None:
    flat = on_paper(corners, "oblique")
    axes.fill(
        *flat.T,
        facecolor=(color, alpha),
        edgecolor=(color, min(1.0, 4 * alpha)),
        lw=0.8,
        zorder=order,
    )


def _link(axes: Any, joint: DhElement) -> None:
    """Draw the common normal a and the offset s of a DH element at q = 0."""
    ends = np.array([np.zeros(3), [0.0, joint.a, 0.0], joint.home[1]])
    axes.plot(*on_paper(ends, "oblique").T, color="#212121", lw=3.0, zorder=4.0)
    for label, begin, end in zip("as", ends[:-1], ends[1:], strict=True):
        _text(axes, (begin + end) / 2.0, label, "#212121", offset=(-8, 9))


def _frame(axes: Any, R: Floats, p: Floats, label: str, order: float) -> None:
    """Draw a frame's axes in red, green and blue, with names on opposite sides for F and M."""
    length, width, side = (0.85, 1.6, 1.0) if label == "F" else (0.6, 2.6, -1.0)
    for axis, color, name in zip(R.T, _AXIS_COLORS, "xyz", strict=True):
        _arrow(axes, p, p + length * axis, color, order, width=width)
        right, up = on_paper(axis, "oblique")
        across = side * 10.0 * np.array([up, -right]) / max(np.hypot(right, up), 0.2)
        _text(axes, p + length * axis, f"${name}_{label}$", color, offset=tuple(across))
    axes.plot(*on_paper(p, "oblique"), "o", ms=4.5, color="#212121", zorder=order + 0.5)
    if np.linalg.norm(p) > 0.1 or label == "F":
        _text(axes, p, f"${label}$", "#212121", offset=(-11, -9))


def _distances(found: Sequence[Screw]) -> list[float]:
    """Return how far from its point each screw is drawn; on one line, one behind another."""
    distances: list[float] = []
    for screw in found:
        beside = []
        for other, distance in zip(found, distances, strict=False):
            apart = other.point - screw.point
            same_line = np.linalg.norm(np.cross(apart, screw.direction)) < _STILL
            if same_line and other.direction @ screw.direction > 1.0 - _STILL:
                beside.append(distance + 0.5 + float(apart @ screw.direction))
        distances.append(max([0.95, *beside]))
    return distances


def _screw(axes: Any, screw: Screw, distance: float, color: str) -> None:
    """Draw a slide as an arrow, a turn as its line and an arc about it that rises by the pitch."""
    point, along = screw.point, screw.direction
    if np.isinf(screw.pitch):
        begin, end = point + distance * along, point + (distance + 0.4) * along
        axes.plot(*on_paper(np.array([point, begin]), "oblique").T, ":", color=color, lw=1.2)
        _arrow(axes, begin, end, color, 8.0, width=3.2)
        _text(axes, end + 0.12 * along, screw.name, color, size=13)
        return
    angles = np.linspace(0.0, (1.5 if abs(screw.pitch) < _STILL else 2.8) * np.pi, 40)
    rise = screw.pitch * angles
    top = distance + max(0.25, rise[-1] + 0.1)
    line = np.array([point - 0.35 * along, point + top * along])
    axes.plot(*on_paper(line, "oblique").T, "--", color=color, lw=1.2, zorder=3.0)
    first = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    first = first / np.linalg.norm(first)
    second = np.cross(along, first)
    arc = point + np.multiply.outer(distance + rise, along)
    arc = arc + 0.16 * (np.outer(np.cos(angles), first) + np.outer(np.sin(angles), second))
    axes.plot(*on_paper(arc, "oblique").T, color=color, lw=2.2, zorder=8.0)
    _arrow(axes, arc[-2], arc[-1], color, 8.0, width=2.2)
    _text(axes, point + (top + 0.12) * along, screw.name, color, size=13)


def _arrow(axes: Any, begin: Floats, end: Floats, color: str, order: float, width: float) -> None:
    tail, head = on_paper(begin, "oblique"), on_paper(end, "oblique")
    style = {"arrowstyle": "-|>", "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", head, tail, arrowprops={**style, "mutation_scale": 11}, zorder=order)
    axes.plot(*np.stack([tail, head]).T, alpha=0.0)  # annotations do not count for the limits


def _text(
    axes: Any,
    place: Floats,
    text: str,
    color: str,
    *,
    offset: tuple[float, ...] = (0.0, 0.0),
    size: int = 12,
) -> None:
    at = on_paper(place, "oblique")
    axes.annotate(
        text,
        at,
        offset,
        textcoords="offset points",
        color=color,
        fontsize=size,
        ha="center",
        va="center",
        zorder=9.0,
    )
    axes.plot(*at[:, None], alpha=0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write every type's picture into the folder that is named, and return the exit status."""
    (folder,) = sys.argv[1:] if arguments is None else arguments
    for name in PICTURED:
        write_joint_picture(Path(folder) / f"{name}.svg", name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
