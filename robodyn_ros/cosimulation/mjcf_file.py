"""An MJCF file as a plant: MuJoCo loads it, and our model is made of what it has compiled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from robodyn_ros.cosimulation.coordinates import CoordinateMap, Follower, Place
from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.cosimulation.mjcf_model import MjcfModel, model_of
from robodyn_ros.cosimulation.plant import Plant, Seat
from robodyn_ros.errors import DescriptionError, quoted

_KINDS = {"mjJNT_FREE": ("free", 7, 6), "mjJNT_BALL": ("ball", 4, 3)}
_STAND_IN = {
    "mass": 1.0,
    "ipos": [0.1, 0.2, 0.3],
    "iquat": [0.7, 0.1, 0.5, 0.5],
    "inertia": [0.9, 1.0, 1.1],
}


def mjcf_plant(path: str | Path) -> Plant:
    """Return the plant of an MJCF file, loaded by MuJoCo, its meshes and includes too.

    Raises:
        DescriptionError: the file is none; the text has MuJoCo's reason.
        RobodynError: MuJoCo is not installed.
    """
    engine = mujoco_engine()
    file = Path(path).expanduser()
    if not file.is_file():
        raise DescriptionError(f"there is no file {quoted(str(file))}; give an MJCF file's path")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            spec = engine.MjSpec.from_file(str(file))
            compiled = spec.compile()
            described = model_of(engine, compiled, spec.modelname or file.stem)
            _stand_in(engine, spec)
            compiled = spec.compile()
        except ValueError as error:
            # MuJoCo's reasons have several lines.
            reason = " ".join(str(error).split())
            raise DescriptionError(f"MuJoCo refuses {quoted(str(file))}: {reason}") from None
    said = dict.fromkeys(f"MuJoCo: {' '.join(str(one.message).split())}" for one in told)
    model = described.model
    seats = tuple(Seat(described.bodies[name], np.eye(3), np.zeros(3)) for name in model.body_names)
    coordinates = _coordinates(engine, compiled, described)
    plant = Plant(model, compiled, seats, coordinates, (*described.notes, *said))
    plant.write_inertias(plant.inertias(np.ones(model.nb)))
    return plant


def _stand_in(engine: Any, spec: Any) -> None:
    """Let no body be simple, so that it may carry a payload; see `mjcf_text`."""
    spec.compiler.inertiafromgeom = int(engine.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE)
    spec.compiler.settotalmass = -1.0
    for body in spec.bodies[1:]:
        body.explicitinertial = True
        body.fullinertia = [np.nan] * 6
        for name, value in _STAND_IN.items():
            setattr(body, name, value)


def _coordinates(engine: Any, compiled: Any, described: MjcfModel) -> CoordinateMap:
    model = described.model
    places: list[Place] = []
    followers: list[Follower] = []
    for number, joint in _joints(described):
        kind = engine.mjtJoint(int(compiled.jnt_type[number])).name
        qpos, dof = int(compiled.jnt_qposadr[number]), int(compiled.jnt_dofadr[number])
        if joint.is_follower:
            followers.append(Follower(joint, qpos, dof))
            continue
        name, nq, nv = _KINDS.get(kind, ("hinge", 1, 1))
        q = tuple(joint.q_index + k for k in range(nq))
        v = tuple(joint.v_index + k for k in range(nv))
        places.append(Place(name, q, v, qpos, dof))
    sizes = (model.nq, model.nv), (int(compiled.nq), int(compiled.nv))
    return CoordinateMap(places, followers, *sizes)


def _joints(described: MjcfModel) -> Iterator[tuple[int, Any]]:
    for _, joint in described.model.moving:
        if joint.name in described.joints:
            yield described.joints[joint.name], joint
