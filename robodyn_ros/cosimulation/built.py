"""From a model of ours to a plant."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_ros.cosimulation.coordinates import CoordinateMap, Follower, Place
from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.cosimulation.mjcf_text import Contacts, MjcfText, mjcf_text
from robodyn_ros.cosimulation.plant import Plant, Seat
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial import compose


def plant_of(model: Model, contacts: Contacts | None = None) -> Plant:
    """Return a model of ours with its counterpart in MuJoCo: the same masses, axes and places.

    Of `contacts`, links that touch each other where the robot begins never do: shapes overlap at
    joints.

    Raises:
        RobodynError: MuJoCo cannot hold it, or is not installed.
    """
    engine = mujoco_engine()
    written = mjcf_text(model, contacts)
    compiled = _compiled(engine, model, written)
    if contacts is not None and contacts.geoms:
        apart = _touching(engine, compiled, _coordinates(model, compiled, written), model)
        if apart:
            written = mjcf_text(model, contacts, apart)
            compiled = _compiled(engine, model, written)
    bodies = [int(compiled.body(name).id) for name in written.bodies]
    seats = []
    for place in model.lumped.places:
        pose = compose(written.seats[place.lump], (place.rotation, place.position))
        seats.append(Seat(bodies[place.lump], *pose))
    plant = Plant(model, compiled, tuple(seats), _coordinates(model, compiled, written))
    plant.write_inertias(plant.inertias(np.ones(model.nb)))
    return plant


def _compiled(engine: Any, model: Model, written: MjcfText) -> Any:
    try:
        return engine.MjModel.from_xml_string(written.text)
    except ValueError as error:
        raise DescriptionError(
            f"robot {quoted(model.name)} cannot be built in MuJoCo: {error}"
        ) from None


def _touching(
    engine: Any, compiled: Any, coordinates: CoordinateMap, model: Model
) -> list[tuple[str, str]]:
    """Return the pairs of the robot's bodies that touch each other where it begins."""
    data = engine.MjData(compiled)
    data.qpos[:], _ = coordinates.theirs(model.defaults.q, model.defaults.v)
    engine.mj_kinematics(compiled, data)
    engine.mj_comPos(compiled, data)
    engine.mj_collision(compiled, data)
    bodies = compiled.geom_bodyid[np.array(data.contact.geom).reshape(-1, 2)]
    pairs = {(int(min(pair)), int(max(pair))) for pair in bodies if min(pair) > 0}
    return [(compiled.body(one).name, compiled.body(other).name) for one, other in sorted(pairs)]


def _coordinates(model: Model, compiled: Any, written: MjcfText) -> CoordinateMap:
    places: list[Place] = []
    followers: list[Follower] = []
    lumps = dict(model.lumped.moving)
    for lump, motion, name in written.motions:
        joint = lumps[lump].joint
        there = compiled.joint(name)
        qpos, dof = int(there.qposadr[0]), int(there.dofadr[0])
        if joint.is_follower:
            followers.append(Follower(joint, qpos, dof))
            continue
        q = tuple(joint.q_index + k for k in motion.q)
        v = tuple(joint.v_index + k for k in motion.v)
        places.append(Place(motion.kind, q, v, qpos, dof))
    ours, theirs = (model.nq, model.nv), (int(compiled.nq), int(compiled.nv))
    return CoordinateMap(places, followers, ours, theirs)
