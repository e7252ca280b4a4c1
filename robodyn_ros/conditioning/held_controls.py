"""Control elements that no joint state gives: by a parameter, a formula of time, or at rest."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import Expression
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
_NOTHING: Mapping[str, float] = MappingProxyType({})
_TIME = "t"


class HeldControls:
    """The control elements of one model.

    Attributes:
        names: Their names.
        slots: Their slots among the `told_coordinates`.
        troubles: Why the formula of one has no value, by name.
    """

    def __init__(self, model: Model, drives: Mapping[str, Expression]) -> None:
        """Begin with what the description says.

        Args:
            model: The model.
            drives: Formulas of the time t in s, by control.
        """
        told = told_coordinates(model)
        found = [k for k, one in enumerate(told) if one.joint.joint.type_name == "control"]
        self.slots: Indices = np.array(found, dtype=np.intp)
        self.names = tuple(told[k].name for k in found)
        self.troubles: dict[str, str] = {}
        self._q = [told[k].q for k in found]
        self._v = [told[k].v for k in found]
        self._initial = [float(model.defaults.q[q]) for q in self._q]
        self._drives = {
            name: (drive, drive.derivative(_TIME), drive.derivative(_TIME).derivative(_TIME))
            for name, drive in drives.items()
            if name in self.names
        }
        self._values: Mapping[str, float] = _NOTHING

    def choose(self, values: Mapping[str, float]) -> None:
        """Take what the operator says, by control; it comes before formulas."""
        self._values = dict(values)

    def put(self, q: Floats, v: Floats, a: Floats, stamp: int) -> None:
        """Write the controls' values, rates and accelerations at a stamp in ns."""
        for k, name in enumerate(self.names):
            numbers = self._at(name, stamp)
            if numbers is None:
                numbers = (self._values.get(name, self._initial[k]), 0.0, 0.0)
            q[self._q[k]], v[self._v[k]], a[self._v[k]] = numbers

    def _at(self, name: str, stamp: int) -> tuple[float, float, float] | None:
        """Return what a formula says, None where there is none, or no sane value."""
        drive = self._drives.get(name)
        self.troubles.pop(name, None)
        if drive is None or name in self._values:
            return None
        try:
            found = [float(each.evaluate({_TIME: stamp * 1e-9})) for each in drive]
        except DescriptionError as error:
            self.troubles[name] = f"its drive has no value at t = {stamp * 1e-9:.9g} s: {error}"
            return None
        if max(map(abs, found)) <= LIMIT:
            return found[0], found[1], found[2]
        self.troubles[name] = f"its drive is {found[0]:g} at t = {stamp * 1e-9:.9g} s"
        return None
