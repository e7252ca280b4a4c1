"""Pinocchio's side of the figures of a tree of mixed joint types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pinocchio as pin

from benchmarks.mixed_tree_robot import LINKS, Batch, Link, Rows, Side, X, Y, one_by_one, sizes
from robodyn_ros.joints import Gimbal, Translational, Universal
from robodyn_ros.kernels.rows import available_threads


def pinocchios() -> Side:
    """Return Pinocchio's side: joints of its own where it has one, else composites.

    Derivatives are those of a chain of one-axis joints and balls instead: Pinocchio's do not hold
    for its universal joint, its Euler angles and its composites (their motion subspaces change
    with q, which it leaves out; they differ by as much as they are).
    """
    model, chain = _tree(_joints), _tree(_elementary_joints)
    data, chain_data = model.createData(), chain.createData()
    functions = {
        "inverse_dynamics": partial(pin.rnea, model, data),
        "forward_dynamics": partial(pin.aba, model, data),
        "mass_matrix": partial(pin.crba, model, data),
        "inverse_dynamics_derivatives": partial(pin.computeRNEADerivatives, chain, chain_data),
        "forward_dynamics_derivatives": partial(pin.computeABADerivatives, chain, chain_data),
    }
    return Side("Pinocchio", functions, one_by_one, _Batches(model).functions())


class _Batches:
    """Pinocchio's batches on as many threads as ours; a column is a row of ours."""

    def __init__(self, model: pin.Model) -> None:
        self._model = model
        self._threads = available_threads()
        self._pool = pin.ModelPool(model, self._threads)

    def functions(self) -> dict[str, Batch]:
        """Return what there is, by our names."""
        return {
            "inverse_dynamics": Batch("rneaInParallel", partial(self._prepare, pin.rneaInParallel)),
            "forward_dynamics": Batch("abaInParallel", partial(self._prepare, pin.abaInParallel)),
        }

    def _prepare(self, run: Callable[..., None], rows: Rows) -> Callable[[], np.ndarray]:
        columns = [np.ascontiguousarray(x).T for x in rows]
        result = np.zeros((self._model.nv, len(rows[0])), order="F")

        def batch() -> np.ndarray:
            run(self._threads, self._pool, *columns, result)
            return result.T

        return batch


def _tree(joints: Callable[[Link], list[object]]) -> pin.Model:
    """Return the tree; of a link's several joints the last carries it, and the rest nothing."""
    model = pin.Model()
    numbers = [0]
    for link, size in zip(LINKS, sizes(), strict=True):
        place, number = pin.SE3(size.rotation, size.position), numbers[link.parent]
        for k, joint in enumerate(joints(link)):
            number = model.addJoint(number, joint, place, f"{len(numbers)}.{k}")
            place = pin.SE3.Identity()
        inertia = pin.Inertia(size.mass, size.com, size.inertia)
        model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
        numbers.append(number)
    return model


def _joints(link: Link) -> list[object]:
    """Return Pinocchio's one joint, with coordinates equal to ours."""
    if isinstance(link.joint, Universal):
        return [pin.JointModelUniversal(*map(np.array, (X, Y)))]
    if link.joint == Gimbal("321"):
        return [pin.JointModelSphericalZYX()]
    if isinstance(link.joint, Translational):
        return [pin.JointModelTranslation()]
    parts = _elementary_joints(link)
    if len(parts) == 1:
        return parts
    composite = pin.JointModelComposite(len(parts))
    for part in parts:
        composite.addJoint(part)
    return [composite]


def _elementary_joints(link: Link) -> list[object]:
    kinds = {
        "turn": pin.JointModelRevoluteUnaligned,
        "slide": pin.JointModelPrismaticUnaligned,
        "ball": lambda axis: pin.JointModelSpherical(),
    }
    return [kinds[kind](np.array(axis)) for kind, axis in link.motions]
