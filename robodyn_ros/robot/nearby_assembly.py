"""Assemblies of kernels, whose rank is found when it is asked for: it costs more than closing."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.assembly import Assembly
from robodyn_ros.constraints.jacobian import jacobian
from robodyn_ros.constraints.partition import rank_of
from robodyn_ros.model import Model


class NearbyAssembly(Assembly):
    """An `Assembly` that looks at the Jacobian's rank late."""

    _model: Model

    def __init__(self, model: Model, q: NDArray[np.float64], residual: float) -> None:
        """Remember where `model` is closed, and how well."""
        vars(self).update(q=q, residual=residual, _model=model)

    @cached_property
    def rank(self) -> int:
        """Independent equations at q."""
        return rank_of(self._model, np.asarray(jacobian(self._model, self.q)))

    @property
    def mobility(self) -> int:
        """Coordinates that can move independently of each other at q."""
        return int(self._model.nv - self.rank)
