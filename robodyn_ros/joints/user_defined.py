"""Document D's user-defined joint: a pose whose entries are formulas of the joint's variables.

R_FM = [m, n, m x n] and p_FM = a with m, n and a functions of u; v = du/dt. Since R is a rotation,
R^T dR/du_j is skew, and with e = m x n and subscripts for derivatives

    S_j = [e . n_j, -e . m_j, n . m_j; m . a_j, n . a_j, e . a_j].

Derivatives of S follow from those of the formulas by the product rule, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.expressions import Expression
from robodyn_ros.joints.joint import Joint, JointLimits, Limits, per_rate
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.joints.pose_search import coordinates_near
from robodyn_ros.joints.user_formulas import three_formulas, variable_names
from robodyn_ros.joints.user_place import Along, Place, ascending
from robodyn_ros.spatial import Array, cross

TOLERANCE = 1e-9
"""How far m and n may be from orthonormal."""
_PLACES = 24
_SEED = 7
_FARTHEST = 1e3
"""How far from zero ranges are looked at: beyond, they are a formality."""


@dataclass(frozen=True)
class UserDefined(Joint):
    """q = the variables u, v = du/dt: R_FM = [m, n, m x n], p_FM = a (document D, joint U).

    The neutral coordinates are 0, where the frames need not coincide; formulas must have values
    and derivatives there. S has full rank where the formulas make it so.

    Attributes:
        variables: their names, one to six.
        m, n: formulas of the first two axes of M in F's axes, orthonormal wherever the joint goes.
        a: formulas of M's origin from F's, in F's axes, m.
    """

    variables: tuple[str, ...]
    m: tuple[Expression, ...]
    n: tuple[Expression, ...]
    a: tuple[Expression, ...]
    type_name = "user_defined"
    parameters = (
        Parameter("variables", "names", "", None, "names of its coordinates, one to six"),
        Parameter("m", "formulas", "", None, "the child's first axis, in predecessor axes"),
        Parameter(
            "n",
            "formulas",
            "",
            None,
            "the child's second axis, in predecessor axes, orthogonal to `m`; both of length 1",
        ),
        Parameter("a", "formulas", "m", None, "the child's origin, in predecessor axes"),
    )

    def __post_init__(self) -> None:
        """Read the formulas, and look whether they make a joint.

        Raises:
            ArgumentError: names or formulas that cannot be used; m and n that are not orthonormal,
                with the place and by how much.
        """
        variables = variable_names(self.variables)
        fields: dict[str, object] = {"variables": variables}
        for name in "mna":
            fields[name] = three_formulas(name, getattr(self, name), variables)
        fields |= {"nq": len(variables), "nv": len(variables)}
        fields["axes"] = variables if len(variables) > 1 else ()
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        used = {name for formula in (*self.m, *self.n, *self.a) for name in formula.names}
        for name in variables:
            if name not in used:
                raise ArgumentError(
                    f"variables has {name}, which no formula of m, n or a uses: leave it out"
                )
        self._require_derivatives()
        self._require_orthonormal(self.neutral()[None])
        self.check(JointLimits())

    def check(self, limits: Limits) -> None:
        """Raise an ArgumentError where m and n are not orthonormal within the limits.

        A sample of places is looked at: the ends of the limits and random ones; where no limits are
        known, those of `random`.
        """
        rng = np.random.default_rng(_SEED)
        ends = [
            limit.span(reach if None in (limit.lower, limit.upper) else _FARTHEST)
            for limit, reach in zip(per_rate(limits, self.nv), self.reaches(), strict=True)
        ]
        low, high = np.transpose(ends)
        places = [low, high, *rng.uniform(low, high, (_PLACES, self.nv))]
        self._require_orthonormal(np.stack(places))

    def _require_orthonormal(self, q: Array) -> None:
        at = Place(self, q)
        m, n = (np.broadcast_to(at.needed(name), (*q.shape[:-1], 3)) for name in "mn")
        products = {
            "the length of m": np.linalg.norm(m, axis=-1) - 1.0,
            "the length of n": np.linalg.norm(n, axis=-1) - 1.0,
            "m . n": (m * n).sum(axis=-1),
        }
        for what, error in products.items():
            off = np.where(np.isfinite(error), np.abs(error), 0.0)
            worst = int(np.argmax(off))
            if off[worst] > TOLERANCE:
                raise ArgumentError(
                    f"m and n must be orthonormal: at {self._told(q[worst])} {what} is off by"
                    f" {off[worst]:.3g}"
                )

    def _require_derivatives(self) -> None:
        """Raise where there is no pose or derivative at the neutral coordinates."""
        neutral = self.neutral()
        one = np.ones(self.nv)
        try:
            parts = {
                "pose": self.pose(neutral),
                "rate": (self.motion_subspace(neutral),),
                "acceleration": (self.bias(neutral, one),),
                "derivative of its acceleration": self.bias_derivatives(neutral, one) or (),
            }
        except DescriptionError as error:
            raise ArgumentError(f"m, n and a: {error}") from None
        for what, arrays in parts.items():
            for array in arrays:
                if array is not None and not np.isfinite(array).all():
                    raise ArgumentError(
                        f"m, n and a give no {what} at {self._told(neutral)}, the neutral position:"
                        " shift the variables so that they do"
                    )

    def _told(self, q: Array) -> str:
        return ", ".join(
            f"{name} = {value:.4g}" for name, value in zip(self.variables, q.tolist(), strict=True)
        )

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return R_FM with the columns m, n and m x n, and p_FM = a."""
        at = Place(self, q)
        m, n = at.needed("m"), at.needed("n")
        return np.stack([m, n, cross(m, n)], axis=-1), at.needed("a")

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv); see the module."""
        at = Place(self, q)
        return np.stack([at.screw(j, ()) for j in range(self.nv)], axis=-1)

    def subspace_derivative(self, q: Array) -> Array | None:
        """Return D (..., 6, nv, nv): dS_j/du_k."""
        return None if self._is_constant else self._first(Place(self, q))

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6) = sum of dS_j/du_k v_j v_k."""
        if self._is_constant:
            return None
        changed = (self._first(Place(self, q)) * v[..., None, None, :]).sum(axis=-1)
        bias: Array = (changed * v[..., None, :]).sum(axis=-1)
        return bias

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return dc/dq and dc/dv, both (..., 6, nv)."""
        if self._is_constant:
            return None
        at, rates = Place(self, q), range(self.nv)
        first = self._first(at)
        along_q = []
        for k in rates:
            rows = [np.stack([at.screw(j, ascending(i, k)) for i in rates], axis=-1) for j in rates]
            bent = (np.stack(rows, axis=-2) * v[..., None, None, :]).sum(axis=-1)
            along_q.append((bent * v[..., None, :]).sum(axis=-1))
        both = first + np.swapaxes(first, -1, -2)
        along_v: Array = (both * v[..., None, None, :]).sum(axis=-1)
        return np.stack(along_q, axis=-1), along_v

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return coordinates found by Newton's method from several places, the nearest pose."""
        return coordinates_near(self, R_FM, p_FM)

    def turning(self) -> tuple[bool, ...]:
        """Return which variables m or n depend on."""
        return tuple(
            not (self._is_zero("m", (j,)) and self._is_zero("n", (j,))) for j in range(self.nv)
        )

    @cached_property
    def _is_constant(self) -> bool:
        """Whether S never changes: nothing turns, and a is linear."""
        pairs = product(range(self.nv), repeat=2)
        return not any(self.turning()) and all(self._is_zero("a", ascending(*p)) for p in pairs)

    def _first(self, at: Place) -> Array:
        rates = range(self.nv)
        rows = [np.stack([at.screw(j, (k,)) for k in rates], axis=-1) for j in rates]
        return np.stack(rows, axis=-2)

    @cached_property
    def _derived(self) -> dict[tuple[str, Along], tuple[Expression, ...]]:
        """Derivatives of m, n and a that were asked for; they serve all later calls."""
        return {}

    def derivative(self, name: str, along: Along) -> tuple[Expression, ...]:
        """Return the derivatives of "m", "n" or "a" by the variables with these numbers."""
        if not along:
            formulas: tuple[Expression, ...] = getattr(self, name)
            return formulas
        key = (name, along)
        if key not in self._derived:
            lower = self.derivative(name, along[:-1])
            by = self.variables[along[-1]]
            self._derived[key] = tuple(formula.derivative(by) for formula in lower)
        return self._derived[key]

    def _is_zero(self, name: str, along: Along) -> bool:
        return all(formula.is_zero for formula in self.derivative(name, along))

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is worked out again."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_derived", "_is_constant")}
