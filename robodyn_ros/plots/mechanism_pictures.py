"""A picture of every closed mechanism of the examples: where it goes, and what closes it.

    python -m robodyn_ros.plots.mechanism_pictures examples docs/mechanisms

writes NAME.svg for each row of `PICTURED`. What is drawn comes from the model; a row only says from
where it is seen and which coordinate takes it how far.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import BodyMotion, body_motion
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.description.load import load_model
from robodyn_ros.description.output_file import require_output_file
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.model.closure import Weld
from robodyn_ros.plots.figures import PICTURES, pyplot_figure
from robodyn_ros.plots.skeleton import Skeleton

Floats = NDArray[np.float64]


class Shown(NamedTuple):
    """How a mechanism is shown.

    Attributes:
        view: one of `VIEWS`.
        moved: the coordinates that take it along, with where each ends; they begin as loaded.
        places: how many positions on the way are worked out, for the markers' paths.
    """

    view: str
    moved: Mapping[str, float]
    places: int = 25


#: By the name of the mechanism file.
PICTURED: Mapping[str, Shown] = MappingProxyType(
    {
        "four_bar": Shown("front", {"motor": 2.0 + 2.0 * np.pi}, 49),
        "slider_crank": Shown("front", {"motor": 1.0 + 2.0 * np.pi}, 49),
        "stewart_platform": Shown("oblique", {"leg_1": 1.0, "leg_2": 1.2, "leg_3": 1.25}, 9),
        "stewart_platform_rods": Shown("oblique", {"leg1": 1.0, "leg2": 1.2, "leg3": 1.25}, 9),
        "nine_revolutes": Shown("oblique", {"phase": 0.5 + 2.0 * np.pi}, 49),
        "bennett": Shown("oblique", {"theta_1": 1.5 + 2.0 * np.pi}, 49),
        "palletiser": Shown("front", {"axis_1": 0.0, "axis_2": 0.9, "axis_3": 0.5}),
        "delta_robot": Shown("oblique", {"motor_1": 0.9, "motor_2": 0.1, "motor_3": 0.4}),
        "mixed_platform": Shown("oblique", {"ram": 0.85}),
        "two_clusters": Shown("oblique", {"shoulder": -0.5, "hinge": 0.6}),
    }
)

_GHOSTS = 4
"""Places in which the bodies are drawn, the first included; a whole turn ends where it began."""
_WIDTH, _LOWEST, _HIGHEST = 5.0, 2.6, 5.0
"""Size in inches: its height is what the drawing needs."""
_BODY, _TIE, _LOOP, _MOTOR, _PATH = "#455a64", "#00838f", "#8e24aa", "#e65100", "#c62828"
_ROOM = 0.2
"""Space around the drawing, of its size, for the names."""


def motion_shown(model: Model, shown: Shown) -> Floats:
    """Return the coordinates (places, nq) through which a mechanism goes in its picture.

    Raises:
        ClosureError: it cannot go there.
        UnknownNameError: no such coordinate.
    """
    q = np.array(model.defaults.q)
    begin = {name: q[model.own_joint(name).q_index] for name in shown.moved}
    rows = []
    for part in np.linspace(0.0, 1.0, shown.places):
        inputs = {name: begin[name] + part * (shown.moved[name] - begin[name]) for name in begin}
        q = assemble(model, q, inputs).q
        rows.append(q)
    return np.stack(rows)


def write_mechanism_picture(file: Path, name: str, folder: Path) -> None:
    """Write the picture of folder/NAME.yaml as .png, .svg or .pdf; a .svg comes out the same again.

    Raises:
        UnknownNameError: there is no picture of such a mechanism.
        ArgumentError: an ending that cannot be used.
        RobodynError: Matplotlib is not installed.
    """
    require_output_file(file, PICTURES)
    if name not in PICTURED:
        raise UnknownNameError.among("mechanism", name, PICTURED)
    figure = pyplot_figure(_WIDTH, _HIGHEST)
    from matplotlib import rc_context

    model = load_model(folder / f"{name}.yaml")
    _draw(figure, model, PICTURED[name])
    metadata = {"Date": None, "Creator": None} if file.suffix.lower() == ".svg" else None
    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(file, metadata=metadata, dpi=100)


def _draw(figure: Any, model: Model, shown: Shown) -> None:
    from matplotlib.collections import LineCollection

    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_aspect("equal", adjustable="box")
    axes.axis("off")
    skeleton = Skeleton(model)
    motion = body_motion(model, motion_shown(model, shown))
    starts, ends = (np.round(x, 6) for x in skeleton.ends(motion, shown.view))
    tied = np.round(skeleton.tied(motion, shown.view), 6)
    for number, row in enumerate(reversed(_ghosts(shown))):
        strength = ((number + 1.0) / _GHOSTS) ** 2.0
        links = np.stack([starts[row], ends[row]], axis=1)
        for strokes, color, width in ((links, _BODY, 3.2), (tied[row], _TIE, 1.6)):
            lines = LineCollection(list(strokes), colors=[(color, strength)], linewidths=width)
            lines.set(capstyle="round", zorder=1.0 + strength)
            axes.add_collection(lines)
    for plate in _plates(skeleton, motion, shown.view):
        axes.fill(*plate.T, facecolor=(_BODY, 0.12), edgecolor=(_BODY, 0.4), lw=0.8, zorder=0.5)
    for path in np.moveaxis(np.round(skeleton.dots(motion, shown.view), 6), 1, 0):
        axes.plot(*path.T, color=_PATH, lw=1.0, zorder=3.0)
        axes.plot(*path[0], "o", ms=5.0, color=_PATH, zorder=4.0)
    pins = np.round(skeleton.pins(motion, shown.view)[0], 6)
    axes.plot(*pins.T, "o", ms=4.5, mfc="white", mec=_BODY, zorder=4.0, ls="none")
    _names(axes, model, skeleton, motion, shown.view)
    _fit(figure, axes)


def _fit(figure: Any, axes: Any) -> None:
    """Give the figure the height that the drawing needs, with room for the names."""
    low, high = axes.dataLim.get_points()
    size = np.maximum(high - low, 1e-3) + 2.0 * _ROOM * (high - low).max()
    tall = min(max(_WIDTH * size[1] / size[0], _LOWEST), _HIGHEST)
    figure.set_size_inches(_WIDTH, tall)
    size = max(size[0] / _WIDTH, size[1] / tall) * np.array([_WIDTH, tall])
    middle = (low + high) / 2.0
    axes.set(xlim=middle[0] + np.array([-0.5, 0.5]) * size[0])
    axes.set(ylim=middle[1] + np.array([-0.5, 0.5]) * size[1])


def _plates(skeleton: Skeleton, motion: BodyMotion, view: str) -> Iterator[Floats]:
    """Yield what bodies with three points or more cover on paper, in the first place."""
    from scipy.spatial import ConvexHull, QhullError

    starts, ends = (x[0] for x in skeleton.ends(motion, view))
    for body in dict.fromkeys(line.body for line in skeleton.lines):
        rows = [k for k, line in enumerate(skeleton.lines) if line.body == body]
        points = np.unique(np.round([starts[rows[0]], *ends[rows]], 6), axis=0)
        if len(points) < 3:
            continue
        try:
            yield points[ConvexHull(points).vertices]
        except QhullError:  # all in one line
            continue


def _ghosts(shown: Shown) -> list[int]:
    """Return the positions that are drawn, the first first."""
    last = shown.places - 1
    turns = any(abs(end) > np.pi for end in shown.moved.values())
    return [round(k * last / (_GHOSTS if turns else _GHOSTS - 1)) for k in range(_GHOSTS)]


def _names(axes: Any, model: Model, skeleton: Skeleton, motion: BodyMotion, view: str) -> None:
    """Write the names of motors, loop joints and constraint elements where they are."""
    center = np.mean(skeleton.pins(motion, view)[0], axis=0) if skeleton.joints else np.zeros(2)
    written: dict[tuple[str, float, float], list[str]] = {}
    for name, color, at in _labels(model, skeleton, motion, view):
        right, up = np.round(at, 3)
        written.setdefault((color, float(right), float(up)), []).append(name)
    for (color, *place), names in written.items():
        at = np.array(place)
        away = at - center
        away = away / max(float(np.hypot(*away)), 1e-6)
        axes.annotate(
            ", ".join(names),
            place,
            np.round(13.0 * away + 1e-9, 1),
            textcoords="offset points",
            color=color,
            fontsize=9,
            ha="center" if abs(away[0]) < 0.5 else ("left" if away[0] > 0.0 else "right"),
            va="center",
            zorder=9.0,
        )


def _labels(
    model: Model, skeleton: Skeleton, motion: BodyMotion, view: str
) -> Iterator[tuple[str, str, Floats]]:
    """Yield names, their colours and places on paper (2,)."""
    motors = {model.coordinate_names[k].split("/")[0] for k in model.closure.actuated}
    motors |= {joint.name for _, joint in model.moving if joint.driver in motors}
    loops = {element.name for element in model.closure.elements if isinstance(element, Weld)}
    for places, strokes in (
        (skeleton.linked(motion, view), skeleton.connections),
        (skeleton.tied(motion, view), skeleton.ties),
    ):
        told = set()
        for stroke, ends in zip(strokes, places[0], strict=True):
            of_joint = strokes is skeleton.connections
            if stroke.name in told or (of_joint and stroke.name not in motors | loops):
                continue
            told.add(stroke.name)
            color = _TIE if not of_joint else (_MOTOR if stroke.name in motors else _LOOP)
            yield stroke.name, color, np.mean(ends, axis=0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write every mechanism's picture and return the exit status.

    The arguments are the folder of the mechanism files and that of the pictures.
    """
    examples, folder = map(Path, sys.argv[1:] if arguments is None else arguments)
    for name in PICTURED:
        write_mechanism_picture(folder / f"{name}.svg", name, examples)
    return 0


if __name__ == "__main__":
    sys.exit(main())
