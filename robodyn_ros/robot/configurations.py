"""Configurations of a robot: the part of the facade that needs no kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros import algorithms
from robodyn_ros.model import Model
from robodyn_ros.robot.arguments import (
    batch_size,
    float_array,
    joint_values,
    require_unit_quaternions,
    with_masked_rows,
)

Floats = NDArray[np.float64]


class Configurations:
    """Points on a model's configuration manifold, and moving between them."""

    def __init__(self, model: Model) -> None:
        """Take the model."""
        self._model = model

    @property
    def model(self) -> Model:
        """The immutable model."""
        return self._model

    def neutral(self) -> Floats:
        """Return the neutral configuration q (nq,): every joint's frames coincide."""
        return algorithms.neutral(self._model)

    def random_configuration(self, rng: np.random.Generator | int | None = None) -> Floats:
        """Return a random q (nq,) within the limits, from a generator or a seed."""
        return algorithms.random_configuration(self._model, np.random.default_rng(rng))

    def configuration(
        self, values: Mapping[str, ArrayLike] | None = None, default: ArrayLike | None = None
    ) -> Floats:
        """Return q (nq,) with joints set by name, the others as in `default` or neutral.

        A name is a joint's, with all of its coordinates, or `joint/axis` with one of several.

        Raises:
            UnknownNameError: no such joint, or a mimic follower (the text names its driver).
            ArgumentError: a wrong number of values, or a quaternion whose norm is not 1.
        """
        if default is None:
            q = self.neutral()
        else:
            q = float_array("default", default, (self._model.nq,)).copy()
        for places, numbers in joint_values(self._model, {} if values is None else values):
            q[..., places] = numbers
        require_unit_quaternions(self._model, q)
        return q

    def integrate(self, q: ArrayLike, v: ArrayLike, dt: ArrayLike = 1.0) -> Floats:
        """Return q (..., nq) after constant rates v (..., nv) for dt (...) seconds."""
        start, rates = self._coordinates("q", q), float_array("v", v, (self._model.nv,))
        time = float_array("dt", dt, ())
        arrays = {"q": (start, 1), "v": (rates, 1), "dt": (time, 0)}
        batch_size(arrays)
        moved = partial(algorithms.integrate, self._model, start, rates, time)
        return with_masked_rows(moved, arrays)

    def coordinate_rates(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """Return dq/dt (..., nq) for rates v (..., nv): v itself but for quaternions and the like.

        Args:
            q: coordinates (..., nq).
            v: rates (..., nv).
        """
        start, rates = self._coordinates("q", q), float_array("v", v, (self._model.nv,))
        arrays = {"q": (start, 1), "v": (rates, 1)}
        batch_size(arrays)
        slopes = partial(algorithms.coordinate_rates, self._model, start, rates)
        return with_masked_rows(slopes, arrays)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Floats:
        """Return the rates (..., nv) that lead from q0 to q1 (..., nq) in one second."""
        start, end = self._coordinates("q0", q0), self._coordinates("q1", q1)
        arrays = {"q0": (start, 1), "q1": (end, 1)}
        batch_size(arrays)
        return with_masked_rows(partial(algorithms.difference, self._model, start, end), arrays)

    def _coordinates(self, name: str, q: ArrayLike) -> Floats:
        array = float_array(name, q, (self._model.nq,))
        require_unit_quaternions(self._model, array)
        return array
