"""A table of parameter specs as the parameters of a node: declared, described, validated."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.parameter_specs import Spec, Value

_TYPES = {
    bool: Parameter.Type.BOOL,
    int: Parameter.Type.INTEGER,
    float: Parameter.Type.DOUBLE,
    str: Parameter.Type.STRING,
    list: Parameter.Type.DOUBLE_ARRAY,
}


class Parameters:
    """The parameters of one node.

    Values are validated before they are accepted, whoever sets them and when; what is wrong is said
    in one line that names the parameter.
    """

    def __init__(
        self,
        node: Node,
        table: Iterable[Spec],
        *,
        on_change: Callable[[set[str]], None] | None = None,
        checks: dict[str, Callable[[Value], str]] | None = None,
    ) -> None:
        """Declare the table on a node.

        Args:
            node: The node.
            table: The parameters.
            on_change: Called with the names of the parameters that changed, once they have; not
                called for the values at start-up.
            checks: Further tests of values set after start-up, by name: each returns what is wrong
                or "".

        Raises:
            rclpy.exceptions.ParameterException: a value given at start-up is not acceptable.
        """
        self._node = node
        self._specs = {spec.name: spec for spec in table}
        self._checks: dict[str, Callable[[Value], str]] = {}
        self._declaring = False
        node.add_on_set_parameters_callback(self._validate)
        for spec in self._specs.values():
            _declare(node, spec)
        self._checks = checks or {}
        self._chosen = self._specs.keys() & self._overrides().keys()
        if on_change is not None:
            self._on_change = on_change
            node.add_post_set_parameters_callback(self._changed)

    def add(self, table: Iterable[Spec]) -> None:
        """Declare further parameters, all or none.

        Raises:
            ArgumentError: a value given at start-up is not acceptable.
        """
        specs = tuple(table)
        self.check(specs)
        self._declaring = True
        try:
            for spec in specs:
                self._specs[spec.name] = spec
                _declare(self._node, spec)
        finally:
            self._declaring = False

    def check(self, table: Iterable[Spec]) -> None:
        """Raise ArgumentError where a value given at start-up does not suit these parameters."""
        overrides = self._overrides()
        for spec in table:
            given = overrides.get(spec.name)
            if given is not None and (trouble := spec.problem(given.value)):
                raise ArgumentError(trouble)

    def remove(self, names: Iterable[str]) -> None:
        """Take parameters back that may change at any time, and with them the values set."""
        for name in names:
            self._specs.pop(name, None)
            if self._node.has_parameter(name):
                self._node.undeclare_parameter(name)

    def fall_back(self, name: str, value: Value) -> None:
        """Give a parameter without a default a value, as long as nobody else gives it one.

        The value is taken whatever it is; nobody is told that it changed.
        """
        if name in self._chosen:
            return
        self._declaring = True
        try:
            self._node.set_parameters([Parameter(name, _TYPES[self._specs[name].kind], value)])
        finally:
            self._declaring = False

    def given(self, prefix: str) -> dict[str, object]:
        """Return what was given at start-up of the parameters `prefix`., declared or not.

        Keys are the rest of the names.
        """
        begin = f"{prefix}."
        return {
            name[len(begin) :]: parameter.value
            for name, parameter in self._overrides().items()
            if name.startswith(begin)
        }

    def _overrides(self) -> dict[str, Parameter]:
        """Return what was given at start-up; rclpy tells of undeclared parameters nowhere else."""
        overrides: dict[str, Parameter] = self._node._parameter_overrides
        return overrides

    def __contains__(self, name: object) -> bool:
        """Return whether a parameter is in the table."""
        return name in self._specs

    def __getitem__(self, name: str) -> Value:
        """Return a parameter's value; KeyError for one that is not in the table or not set."""
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str) -> Value | None:
        """Return a parameter's value, None when it is not set."""
        spec = self._specs[name]
        unset = Parameter(name, Parameter.Type.NOT_SET)
        value = self._node.get_parameter_or(name, unset).value
        return None if value is None else spec.convert(value)

    def text(self, name: str) -> str:
        """Return a text parameter, "" when it is not set."""
        return str(self.get(name) or "")

    def number(self, name: str) -> float:
        """Return a numeric parameter."""
        return float(self[name])  # type: ignore[arg-type]

    def numbers(self, name: str) -> list[float]:
        """Return a parameter of several numbers."""
        value = self[name]
        return value if isinstance(value, list) else []

    def _validate(self, parameters: list[Parameter]) -> SetParametersResult:
        for parameter in parameters:
            spec = self._specs.get(parameter.name)
            if spec is None or self._falls_back(spec, parameter):
                continue
            trouble = spec.problem(parameter.value)
            check = self._checks.get(parameter.name)
            if not trouble and check is not None:
                trouble = check(parameter.value)
            if trouble:
                return SetParametersResult(successful=False, reason=trouble)
        return SetParametersResult(successful=True)

    def _changed(self, parameters: list[Parameter]) -> None:
        names = {parameter.name for parameter in parameters} & self._specs.keys()
        if names and not self._declaring:
            self._chosen |= names
            self._chosen -= {x.name for x in parameters if _is_unset(x)}
            self._on_change(names)

    def _falls_back(self, spec: Spec, parameter: Parameter) -> bool:
        """Return whether a parameter without a default gets no value, or a description's."""
        return spec.default is None and (self._declaring or _is_unset(parameter))


def _is_unset(parameter: Parameter) -> bool:
    return bool(parameter.type_ == Parameter.Type.NOT_SET)


def _declare(node: Node, spec: Spec) -> None:
    descriptor = ParameterDescriptor(
        description=spec.text,
        read_only=spec.read_only,
        additional_constraints="one of: " + ", ".join(spec.choices) if spec.choices else "",
    )
    if spec.kind in (float, list):
        # A bare 50 on a command line or in YAML is an integer; take it for a float.
        descriptor.dynamic_typing = True
        descriptor.type = _TYPES[spec.kind].value
    if spec.lower is not None and spec.upper is not None and spec.kind is not list:
        if spec.kind is int:
            descriptor.integer_range = [
                IntegerRange(from_value=int(spec.lower), to_value=int(spec.upper), step=0)
            ]
        else:
            descriptor.floating_point_range = [
                FloatingPointRange(from_value=spec.lower, to_value=spec.upper, step=0.0)
            ]
    if spec.default is None:
        kind = None if descriptor.dynamic_typing else _TYPES[spec.kind]
        node.declare_parameter(spec.name, kind, descriptor)
    else:
        node.declare_parameter(spec.name, spec.default, descriptor)
