"""Pinocchio's side of the figures of closed mechanisms: rigid constraints, proximal solutions."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from benchmarks.closed_cases import CLOSED, Case, Engine, States
from benchmarks.closed_newton import independent_rows
from robodyn_ros.joints import Floating, Prismatic, Universal

SETTINGS = (1e-12, 1e-8, 20)
"""Accuracy, mu and iterations at most: the quickest of those tried; redundant equations need mu."""


class PinocchioSide:
    """A mechanism in Pinocchio: a loop's pin or ball holds two points together."""

    def __init__(self, case: Case) -> None:
        """Build it."""
        self._case = case
        self.model = pin.Model()
        self.model.gravity.linear = case.gravity
        numbers = {case.robot.model.body_names[0]: 0}
        order: list[int] = []
        for link in case.links:
            place = pin.SE3(np.array(link.joint.rotation), np.array(link.joint.position))
            kind = link.kind
            if isinstance(kind, Floating):
                joint = pin.JointModelFreeFlyer()
                order += [len(order) + k for k in (3, 4, 5, 0, 1, 2)]
            else:
                order += [len(order) + k for k in range(kind.nv)]
                if isinstance(kind, Universal):
                    axes = (np.array(kind.first_axis), np.array(kind.second_axis))
                    joint = pin.JointModelUniversal(*axes)
                elif isinstance(kind, Prismatic):
                    joint = pin.JointModelPrismaticUnaligned(np.array(kind.axis))
                else:
                    joint = pin.JointModelRevoluteUnaligned(np.array(kind.axis))
            number = self.model.addJoint(numbers[link.parent], joint, place, link.name)
            inertia = pin.Inertia(link.body.mass, link.body.com, link.body.inertia)
            self.model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
            numbers[link.name] = number
        self._order = np.array(order)  # of our rates in theirs
        self.data = self.model.createData()
        self._constraints = pin.StdVec_RigidConstraintModel()
        for loop in case.loops:
            ends = (
                numbers[loop.parent],
                pin.SE3(np.eye(3), loop.on_parent),
                numbers[loop.child],
                pin.SE3(np.eye(3), loop.on_child),
            )
            self._constraints.append(
                pin.RigidConstraintModel(
                    pin.ContactType.CONTACT_3D, self.model, *ends, pin.ReferenceFrame.LOCAL
                )
            )
        self._found = pin.StdVec_RigidConstraintData()
        self._found.extend(one.createData() for one in self._constraints)
        pin.initConstraintDynamics(self.model, self.data, self._constraints, self._found)
        self._settings = pin.ProximalSettings(*SETTINGS)
        held = {int(np.flatnonzero(self._order == k)[0]) for k in case.given}
        self._free = np.array([k for k in range(self.model.nv) if k not in held])
        start = self.converted(case.states(1, seed=5)).q[0]
        jacobian, _ = self._equations(start)
        self._rows = independent_rows(jacobian[:, self._free])

    def engine(self) -> Engine:
        """Return what it does."""
        return Engine(
            "Pinocchio",
            self.converted,
            self._accelerated,
            self._forces,
            lambda states, found: found[:, np.argsort(self._order)],
            self._assembled,
            lambda q: self._equations(q)[0],
            lambda q: self._equations(q)[1],
            None,
            False,
        )

    def converted(self, states: States) -> States:
        """Return our states in its coordinates."""
        q, v, tau, guess = self._case.tree(states)
        return States(
            q,
            np.ascontiguousarray(v[:, self._order]),
            np.ascontiguousarray(tau[:, self._order]),
            guess,
        )

    def _accelerated(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return pin.constraintDynamics(
            self.model, self.data, q, v, tau, self._constraints, self._found, self._settings
        )

    def _forces(self) -> np.ndarray:
        found = self._found
        jacobian = pin.getConstraintsJacobian(self.model, self.data, self._constraints, found)
        return jacobian.T @ np.concatenate([one.contact_force.linear for one in found])

    def _equations(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the constraints' Jacobian, and how far loops are open."""
        model, data = self.model, self.data
        pin.computeJointJacobians(model, data, q)
        gaps = []
        for constraint, found in zip(self._constraints, self._found, strict=True):
            constraint.calc(model, data, found)
            gaps.append(found.c1Mc2.translation)
        jacobian = pin.getConstraintsJacobian(model, data, self._constraints, self._found)
        return jacobian, np.concatenate(gaps)

    def _assembled(self, guess: np.ndarray) -> np.ndarray:
        """Newton's method with square equations, as short as Python allows."""
        q, step = guess, np.zeros(self.model.nv)
        for _ in range(10):
            jacobian, gaps = self._equations(q)
            if abs(gaps).max() < CLOSED:
                break
            part = jacobian[self._rows][:, self._free]
            step[self._free] = np.linalg.solve(part, gaps[self._rows])
            q = pin.integrate(self.model, q, step)
        return q
