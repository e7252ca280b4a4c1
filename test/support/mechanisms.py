"""Closed mechanisms by the builder, as models that are not assembled yet, and start points.

Every length is multiplied by `scale`, so that the same mechanism can be one of mm or km.
"""

from __future__ import annotations

import numpy as np

from closed import bricard as bricard_library
from robodyn_ros.constraints.assembly import assemble, assembled_model
from robodyn_ros.joints import Continuous, DhRevolute, JointLimits, Prismatic, Revolute, Spherical
from robodyn_ros.model import Model, ModelBuilder

#: Crank, coupler, rocker, ground: the crank can turn all the way.
CRANK_ROCKER = (0.2, 0.5, 0.45, 0.6)
#: Opposite sides equal: it can change into the crossed form where all is one line.
PARALLELOGRAM = (0.3, 0.6, 0.3, 0.6)
Z = (0.0, 0.0, 1.0)


def add_link(builder: ModelBuilder, name: str, length: float, scale: float = 1.0) -> None:
    """Add a link of 1 kg along its x axis."""
    across = (length * scale) ** 2 / 12.0
    builder.add_body(
        name,
        mass=1.0,
        com=(0.5 * length * scale, 0.02 * scale, 0.01 * scale),
        inertia=np.diag([0.1 * across, across, 1.1 * across]),
    )


def four_bar(
    lengths: tuple[float, float, float, float] = CRANK_ROCKER,
    *,
    scale: float = 1.0,
    actuated: tuple[str, ...] = ("crank",),
    rocker_range: tuple[float, float] | None = None,
) -> Model:
    """Return a planar four-bar: joints crank, coupler, rocker about z; loop joint `pin`.

    The rocker turns without end unless it has a range, in rad.
    """
    crank, coupler, rocker, ground = (scale * length for length in lengths)
    builder = ModelBuilder("four_bar")
    builder.add_body("base")
    for name, length in zip(("crank", "coupler", "rocker"), lengths[:3], strict=True):
        add_link(builder, f"{name}_link", length, scale)
    builder.add_joint("crank", Continuous(Z), "base", "crank_link")
    builder.add_joint(
        "coupler", Continuous(Z), "crank_link", "coupler_link", position=(crank, 0.0, 0.0)
    )
    builder.add_joint(
        "rocker",
        Revolute(Z) if rocker_range else Continuous(Z),
        "base",
        "rocker_link",
        position=(ground, 0.0, 0.0),
        limits=JointLimits(*rocker_range) if rocker_range else None,
    )
    builder.add_loop(
        "pin",
        Continuous(Z),
        "rocker_link",
        "coupler_link",
        position=(rocker, 0.0, 0.0),
        child_position=(coupler, 0.0, 0.0),
    )
    builder.set_actuated(actuated)
    return builder.build()


def four_bar_state(
    model: Model,
    crank: float,
    branch: int,
    lengths: tuple[float, float, float, float] = CRANK_ROCKER,
) -> np.ndarray:
    """Return the closed q; on branch 1 the coupler's end is left of the line to the rocker."""
    a, b, c, d = lengths
    B = a * np.array([np.cos(crank), np.sin(crank)])
    to_D = np.array([d, 0.0]) - B
    square = to_D @ to_D
    along = (b**2 - c**2 + square) / (2.0 * square)
    across = branch * np.sqrt(max(b**2 / square - along**2, 0.0))
    coupler = along * to_D + across * np.array([-to_D[1], to_D[0]])
    rocker = coupler - to_D
    angles = {
        "crank": crank,
        "coupler": np.arctan2(coupler[1], coupler[0]) - crank,
        "rocker": np.arctan2(rocker[1], rocker[0]),
    }
    angles["pin"] = angles["coupler"] + crank - angles["rocker"]
    return np.array([angles[name] for name in model.joint_names])


def slider_crank(
    crank: float = 0.2,
    rod: float = 0.5,
    *,
    scale: float = 1.0,
    actuated: tuple[str, ...] = ("crank",),
    dead_centre: bool = False,
) -> Model:
    """Return a slider-crank: joints crank, rod, slider (along x); loop joint `pin`."""
    builder = ModelBuilder("slider_crank")
    builder.add_body("base")
    add_link(builder, "crank_link", crank, scale)
    add_link(builder, "rod_link", rod, scale)
    add_link(builder, "slider_link", 0.05, scale)
    start = (rod + crank if dead_centre else rod) * scale
    builder.add_joint("crank", Continuous(Z), "base", "crank_link")
    builder.add_joint(
        "rod", Continuous(Z), "crank_link", "rod_link", position=(crank * scale, 0.0, 0.0)
    )
    builder.add_joint("slider", Prismatic((1.0, 0.0, 0.0)), "base", "slider_link", initial=[start])
    builder.add_loop(
        "pin", Continuous(Z), "slider_link", "rod_link", child_position=(rod * scale, 0.0, 0.0)
    )
    builder.set_actuated(actuated)
    return builder.build()


def bennett(*, scale: float = 1.0, angle: float = 0.9) -> Model:
    """Return Bennett's four-bar by DH elements, closed at its `angle` of the first joint."""
    alphas = (0.6, 1.1)
    lengths = [scale * np.sin(alpha) for alpha in alphas]
    first = angle
    half = -np.sin((alphas[1] + alphas[0]) / 2.0) / np.sin((alphas[1] - alphas[0]) / 2.0)
    second = 2.0 * np.arctan(half / np.tan(first / 2.0))
    thetas = (first, second, -first, -second)
    joints = [DhRevolute(a=lengths[k % 2], alpha=alphas[k % 2]) for k in range(4)]
    names = ["base", "link_1", "link_2", "link_3"]
    builder = ModelBuilder("bennett")
    for name in names:
        add_link(builder, name, 0.5, scale)
    for k in range(3):
        builder.add_joint(f"joint_{k + 1}", joints[k], names[k], names[k + 1], initial=[thetas[k]])
    builder.add_loop("joint_4", joints[3], "link_3", "base", initial=[thetas[3]])
    builder.set_actuated(["joint_1"])
    return builder.build()


def bricard(*, scale: float = 1.0) -> Model:
    """Return the Bricard mechanism of the benchmark library, closed at q = 0."""
    builder = ModelBuilder("bricard")
    names = ["base", *(f"rod_{k}" for k in range(1, 6))]
    builder.add_body("base")
    points = scale * bricard_library.POINTS
    for name in names[1:]:
        add_link(builder, name, 1.0, scale)
    before = np.zeros(3)
    for k in range(5):
        builder.add_joint(
            f"joint_{k + 1}",
            Continuous(tuple(bricard_library.AXES[k])),
            names[k],
            names[k + 1],
            position=points[k] - before,
        )
        before = points[k]
    builder.add_loop(
        "joint_6",
        Continuous(tuple(bricard_library.AXES[5])),
        names[5],
        "base",
        position=points[5] - before,
        child_position=points[5],
    )
    return builder.build()


def rssr(*, scale: float = 1.0) -> Model:
    """Return two cranks at right angles, joined by a rod with ball ends; mobility 1."""
    builder = ModelBuilder("rssr")
    builder.add_body("base")
    add_link(builder, "crank_link", 0.15, scale)
    add_link(builder, "rocker_link", 0.3, scale)
    s = scale
    builder.add_joint("crank", Continuous(Z), "base", "crank_link")
    builder.add_joint(
        "rocker",
        Revolute((0.0, 1.0, 0.0)),
        "base",
        "rocker_link",
        position=(0.1 * s, 0.5 * s, 0.1 * s),
    )
    builder.add_rod("rod", "crank_link", (0.15 * s, 0.0, 0.0), "rocker_link", (0.3 * s, 0.0, 0.0),
                    0.55 * s)  # fmt: skip
    builder.set_actuated(["crank"])
    return builder.build()


def n_four_bar(count: int) -> Model:
    """Return `count` squares of side 1 in a row, each sharing a crank with the next; mobility 1."""
    builder = ModelBuilder("n_four_bar")
    builder.add_body("base")
    for k in range(count + 1):
        add_link(builder, f"crank_{k}", 1.0)
        builder.add_joint(
            f"pivot_{k}", Continuous(Z), "base", f"crank_{k}", position=(float(k), 0.0, 0.0)
        )
    for k in range(count):
        add_link(builder, f"bar_{k}", 1.0)
        builder.add_joint(
            f"elbow_{k}", Continuous(Z), f"crank_{k}", f"bar_{k}", position=(1.0, 0.0, 0.0)
        )
        builder.add_loop(
            f"pin_{k}",
            Continuous(Z),
            f"crank_{k + 1}",
            f"bar_{k}",
            position=(1.0, 0.0, 0.0),
            child_position=(1.0, 0.0, 0.0),
        )
    builder.set_actuated(["pivot_0"])
    return builder.build()


def n_four_bar_state(model: Model, angle: float) -> np.ndarray:
    """Return the closed q with all cranks at an angle and all bars level."""
    turns = {"pivot": angle, "elbow": -angle, "pin": -angle}
    return np.array([turns[name.rsplit("_", 1)[0]] for name in model.joint_names])


def pendulum_on_ball(*, links: int = 2) -> Model:
    """Return a chain of links on balls whose end a rod holds: joints of several numbers."""
    builder = ModelBuilder("held_chain")
    builder.add_body("base")
    parent = "base"
    for k in range(links):
        add_link(builder, f"link_{k}", 0.4)
        builder.add_joint(
            f"ball_{k}", Spherical(), parent, f"link_{k}", position=(0.4 if k else 0.0, 0.0, 0.0)
        )
        parent = f"link_{k}"
    builder.add_rod("rod", "base", (0.3, 0.5, 0.0), parent, (0.4, 0.0, 0.0), 0.6)
    return builder.build()


def closed(model: Model, guess: np.ndarray | None = None, **inputs: float) -> Model:
    """Return a model assembled from a guess (else its initial state), with a partition."""
    start = model.defaults.q if guess is None else guess
    return assembled_model(model, assemble(model, start, inputs).q)
