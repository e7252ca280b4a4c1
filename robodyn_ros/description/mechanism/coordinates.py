"""The coordinates that a file can name: in formulas, and as those with a motor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from robodyn_ros.description.mechanism.formulas import Formula
from robodyn_ros.description.mechanism.kinds import listed
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.errors import did_you_mean, quoted
from robodyn_ros.expressions import Expression
from robodyn_ros.joints import Joint


@dataclass(frozen=True)
class Coordinates:
    """Whatever has coordinates that a file can name.

    Attributes:
        joints: joints, loop joints and control elements by name; None where the URDF says what it
            is.
        followers: those of them that follow others.
        parameters: numbers by name.
        prefixes: names of joints that only the model makes.
    """

    joints: Mapping[str, Joint | None]
    followers: Collection[str]
    parameters: Mapping[str, float]
    prefixes: tuple[str, ...] = ()

    def require(self, formula: Formula) -> None:
        """Raise where a formula names what is no coordinate of one number."""
        if not isinstance(formula.value, Expression):
            return
        for name in formula.names:
            if name in self.parameters and name in self.joints:
                raise formula.place.failure(
                    f"{quoted(name)} is both a parameter and a joint or control; rename one"
                )
            if name not in self.parameters:
                self._require_one_number(formula.place, name)

    def _require_one_number(self, place: Place, name: str) -> None:
        if name not in self.joints:
            known = [*self.parameters, *self._of_one_number()]
            raise place.failure(
                f"no parameter, control or joint is called {quoted(name)}"
                f"{did_you_mean(name, known)} (known: {listed(known) or 'none'})"
            )
        if name in self.followers:
            raise place.failure(
                f"joint {quoted(name)} follows others itself; a formula takes those that it follows"
            )
        joint = self.joints[name]
        if joint is not None and joint.nq != 1:
            has = f"has {joint.nq} coordinates" if joint.nq else "is fixed"
            raise place.failure(
                f"joint {quoted(name)} {has}; a formula takes controls and joints with one"
            )

    def _of_one_number(self) -> Iterable[str]:
        own = (name for name in self.joints if name not in self.followers)
        return (name for name in own if (joint := self.joints[name]) is None or joint.nq == 1)

    def require_named(self, place: Place, name: str) -> None:
        """Raise where a name is none of a joint, nor of one of its coordinates."""
        joint, _, axis = name.rpartition("/")
        if name in self.joints:
            joint, axis = name, ""
        elif joint not in self.joints and not name.startswith(self.prefixes):
            raise place.failure(
                f"no coordinate is called {quoted(name)}{did_you_mean(name, self._all())}"
            )
        if joint in self.followers:
            raise place.failure(
                f"joint {quoted(joint)} follows others and has no coordinate of its own"
            )
        kind = self.joints.get(joint)
        if kind is None or (not axis and kind.nv) or axis in kind.axes:
            return
        names = [f"{joint}/{one}" for one in kind.axes] or [joint]
        has = f"only {listed(names)}" if kind.nv else "no coordinate: it is fixed"
        raise place.failure(f"joint {quoted(joint)} has {has}")

    def _all(self) -> list[str]:
        names = []
        for name in self.joints:
            joint = self.joints[name]
            axes = () if joint is None else joint.axes
            names += [name, *(f"{name}/{axis}" for axis in axes)]
        return names
