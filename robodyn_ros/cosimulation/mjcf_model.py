"""Our model of what MuJoCo has compiled: bodies, joints, limits, frames; no shapes or actuators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.joints import (
    Continuous,
    Fixed,
    Floating,
    Joint,
    JointLimits,
    Prismatic,
    Revolute,
    Spherical,
)
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial import axis_rotation, quaternion_to_matrix

Floats = NDArray[np.float64]

_HOME = "home"
"""Name of the key frame that a robot begins in, where the file has one."""


@dataclass(frozen=True)
class MjcfModel:
    """What was made of a compiled model.

    Attributes:
        model: ours.
        bodies: MuJoCo's body of each of ours, by name.
        joints: MuJoCo's joint of each of ours, by name.
        notes: what it has that ours has not, one line each.
    """

    model: Model
    bodies: dict[str, int]
    joints: dict[str, int]
    notes: tuple[str, ...]


def model_of(engine: Any, compiled: Any, name: str) -> MjcfModel:
    """Return our model of a compiled one: a body with several joints becomes a chain of bodies.

    The only body of a world, where it is free, makes a floating base; else the world is the root.

    Raises:
        DescriptionError: it has no joint, or what we have nothing for.
    """
    return _Reader(engine, compiled, name).read()


class _Reader:
    """Reads one compiled model."""

    def __init__(self, engine: Any, compiled: Any, name: str) -> None:
        self._engine, self._compiled = engine, compiled
        self._builder = ModelBuilder(name)
        self._bodies: dict[str, int] = {}
        self._joints: dict[str, int] = {}
        self._notes: list[str] = []
        self._start = np.array(compiled.qpos0)
        for k in range(compiled.nkey):
            if compiled.key(k).name == _HOME:
                self._start = np.array(compiled.key_qpos[k])

    def read(self) -> MjcfModel:
        """Return our model."""
        compiled = self._compiled
        if compiled.njnt == 0:
            raise DescriptionError("the MJCF has no joint; nothing can move")
        root = self._floating_root()
        if root < 0:
            self._body(0, self._name("body", 0))
        for body in range(1, compiled.nbody):
            self._add(body, is_root=body == root)
        self._sites()
        self._couple()
        self._builder.set_gravity(compiled.opt.gravity)
        self._note_the_rest()
        model = self._builder.build("floating" if root > 0 else "fixed")
        bodies = self._bodies
        if root > 0:  # its joint and the world are called by us
            model = self._placed(model, root)
            self._joints[model.own_joints[0].name] = int(compiled.body_jntadr[root])
            bodies = {model.body_names[0]: 0, **bodies}
        return MjcfModel(model, bodies, self._joints, tuple(self._notes))

    def _floating_root(self) -> int:
        """Return the only body of the world where it is free, else -1."""
        compiled = self._compiled
        top = [i for i in range(1, compiled.nbody) if compiled.body_parentid[i] == 0]
        free = int(self._engine.mjtJoint.mjJNT_FREE)
        if len(top) != 1 or compiled.body_jntnum[top[0]] != 1:
            return -1
        return top[0] if compiled.jnt_type[compiled.body_jntadr[top[0]]] == free else -1

    def _placed(self, model: Model, root: int) -> Model:
        """Return a model with a floating base that begins where the file has it."""
        joint = int(self._compiled.body_jntadr[root])
        at = int(self._compiled.jnt_qposadr[joint])
        q = model.defaults.q.copy()
        q[:3], q[3:7] = self._start[at : at + 3], np.roll(self._start[at + 3 : at + 7], -1)
        return replace(model, defaults=replace(model.defaults, q=constant(q)))

    def _add(self, body: int, *, is_root: bool) -> None:
        compiled, name = self._compiled, self._name("body", body)
        self._body(body, name)
        if is_root:
            return
        parent = self._name("body", int(compiled.body_parentid[body]))
        R, p = _rotation(compiled.body_quat[body]), np.array(compiled.body_pos[body])
        first, count = int(compiled.body_jntadr[body]), int(compiled.body_jntnum[body])
        if count == 0:
            self._builder.add_joint(f"{name} fixed", Fixed(), parent, name, position=p, rotation=R)
            return
        for k in range(count):
            child = name if k == count - 1 else f"{name}/{k}"
            if k < count - 1:
                self._builder.add_body(child, has_inertial=False)
                self._bodies[child] = body
            self._joint(first + k, parent, child, (R, p))
            parent, R, p = child, np.eye(3), np.zeros(3)

    def _body(self, body: int, name: str) -> None:
        compiled = self._compiled
        axes = _rotation(compiled.body_iquat[body])
        inertia = axes @ np.diag(compiled.body_inertia[body]) @ axes.T
        inertia = 0.5 * (inertia + inertia.T)
        mass, com = float(compiled.body_mass[body]), np.array(compiled.body_ipos[body])
        some = bool(mass or inertia.any())
        self._builder.add_body(name, mass=mass, com=com, inertia=inertia, has_inertial=some)
        self._bodies[name] = body

    def _joint(self, number: int, parent: str, child: str, at: tuple[Floats, Floats]) -> None:
        """Add a joint; `at` is the pose of the child in the parent before it moves."""
        compiled, name = self._compiled, self._name("joint", number)
        R, p = at
        anchor, axis = np.array(compiled.jnt_pos[number]), np.array(compiled.jnt_axis[number])
        dof, qpos = int(compiled.jnt_dofadr[number]), int(compiled.jnt_qposadr[number])
        joint, size = self._kind(number, axis)
        rates = slice(dof, dof + size)
        initial = self._start[qpos : qpos + joint.nq]
        zero = float(compiled.qpos0[qpos])
        match joint:
            case Floating():
                R, p, anchor = np.eye(3), np.zeros(3), np.zeros(3)
                initial = np.concatenate([initial[:3], np.roll(initial[3:], -1)])
            case Spherical():
                initial = np.roll(initial, -1)
            case Prismatic():
                anchor = -zero * axis
                p, anchor = p + R @ anchor, np.zeros(3)
        turn = np.eye(3)
        if isinstance(joint, Revolute) and zero:
            turn = np.asarray(axis_rotation(axis, np.array(-zero)))
        self._builder.add_joint(
            name,
            joint,
            parent,
            child,
            position=p + R @ anchor,
            rotation=R @ turn,
            child_position=anchor,
            limits=self._limits(number),
            armature=compiled.dof_armature[rates],
            damping=compiled.dof_damping[rates],
            friction=compiled.dof_frictionloss[rates],
            initial=initial,
        )
        self._joints[name] = number

    def _kind(self, number: int, direction: Floats) -> tuple[Joint, int]:
        x, y, z = direction.tolist()
        axis = (x, y, z)
        kinds, compiled = self._engine.mjtJoint, self._compiled
        kind = int(compiled.jnt_type[number])
        if kind == int(kinds.mjJNT_FREE):
            return Floating(), 6
        if kind == int(kinds.mjJNT_BALL):
            return Spherical(), 3
        if kind == int(kinds.mjJNT_SLIDE):
            return Prismatic(axis), 1
        return (Revolute(axis) if compiled.jnt_limited[number] else Continuous(axis)), 1

    def _limits(self, number: int) -> JointLimits | None:
        """Return the limits of a hinge or slide; of others None."""
        compiled, kinds = self._compiled, self._engine.mjtJoint
        if int(compiled.jnt_type[number]) in (int(kinds.mjJNT_FREE), int(kinds.mjJNT_BALL)):
            return None
        lower = upper = effort = None
        if compiled.jnt_limited[number]:
            lower, upper = map(float, compiled.jnt_range[number])
        if compiled.jnt_actfrclimited[number]:
            effort = float(np.abs(compiled.jnt_actfrcrange[number]).min())
        return JointLimits(lower=lower, upper=upper, effort=effort)

    def _sites(self) -> None:
        compiled, taken = self._compiled, {*self._bodies}
        for k in range(compiled.nsite):
            name = compiled.site(k).name
            if name and name not in taken:
                taken.add(name)
                body = self._name("body", int(compiled.site_bodyid[k]))
                if body in self._bodies:
                    rotation = _rotation(compiled.site_quat[k])
                    self._builder.add_frame(name, body, compiled.site_pos[k], rotation)

    def _couple(self) -> None:
        """Let joints follow that a linear equality binds."""
        compiled = self._compiled
        kind = int(self._engine.mjtEq.mjEQ_JOINT)
        for k in range(compiled.neq):
            law = np.array(compiled.eq_data[k][:5])
            follower, driver = int(compiled.eq_obj1id[k]), int(compiled.eq_obj2id[k])
            linear = compiled.eq_type[k] == kind and driver >= 0 and not law[2:].any()
            if not linear or not compiled.eq_active0[k]:
                label = quoted(compiled.eq(k).name or f"number {k}")
                self._notes.append(f"equality {label} binds in MuJoCo only: our model is without")
                continue
            ends = [float(compiled.qpos0[compiled.jnt_qposadr[j]]) for j in (follower, driver)]
            offset = ends[0] + law[0] - law[1] * ends[1]
            follows, drives = (self._name("joint", j) for j in (follower, driver))
            self._builder.add_mimic(follows, drives, float(law[1]), float(offset))

    def _note_the_rest(self) -> None:
        for count, what in (
            (self._compiled.nu, "actuators are switched off: efforts act on joints themselves"),
            (self._compiled.ntendon, "tendons act in MuJoCo only: our model is without"),
        ):
            if count:
                self._notes.append(what)
        if self._compiled.jnt_stiffness.any():
            self._notes.append("springs of joints act in MuJoCo only: our model is without")

    def _name(self, kind: str, number: int) -> str:
        name: str = getattr(self._compiled, kind)(number).name
        return name or f"{kind}{number}"


def _rotation(quaternion: Any) -> Floats:
    """Return the matrix of a quaternion with the scalar first."""
    xyzw = np.roll(np.array(quaternion), -1)
    found: Floats = np.asarray(quaternion_to_matrix(xyzw / np.linalg.norm(xyzw)))
    return found
