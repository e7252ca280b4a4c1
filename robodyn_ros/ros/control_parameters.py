"""Parameters `controls.NAME`: the values of a robot's control elements."""

from __future__ import annotations

from robodyn_ros.model import Model
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameters import Parameters


class ControlParameters:
    """The parameters of one robot's control elements, declared for as long as it is there."""

    def __init__(self, config: Parameters) -> None:
        """Begin without any."""
        self._config = config
        self._names: dict[str, str] = {}

    def begin(self, model: Model) -> None:
        """Declare those of a model.

        Raises:
            ArgumentError: a value given at start-up is not acceptable.
        """
        names = [j.name for j in model.own_joints if j.joint.type_name == "control"]
        specs = [_spec(name) for name in names]
        self._config.check(specs)
        self._config.remove(self._names.values())
        self._names = {name: spec.name for name, spec in zip(names, specs, strict=True)}
        self._config.add(specs)

    def values(self) -> dict[str, float]:
        """Return the values that are set, by control element."""
        found = {name: self._config.get(parameter) for name, parameter in self._names.items()}
        return {name: float(x) for name, x in found.items() if isinstance(x, (int, float))}


def _spec(name: str) -> Spec:
    return Spec(
        f"controls.{name}",
        float,
        f"Value of control element {name}, as long as no joint state gives it; not set: what the"
        " drive of the description says at the stamps, else its initial position.",
    )
