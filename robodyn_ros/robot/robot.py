"""The facade that `load` returns: a model, its run-time environment and its kernels."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.kernel import Kernel
from robodyn_ros.model import BaseMotion, Environment, Model, ModelReport
from robodyn_ros.robot.arguments import float_array
from robodyn_ros.robot.base_motion import base_motion
from robodyn_ros.robot.catalogue import base_motion_array, operation
from robodyn_ros.robot.configurations import Configurations
from robodyn_ros.robot.evaluator import Evaluator
from robodyn_ros.robot.kernel_source import Compile, KernelSource
from robodyn_ros.robot.results import LazyBodyMotion, LazyCenterOfMassMotion, LazyResult

Floats = NDArray[np.float64]


class Robot(Configurations):
    """A robot: kinematics by name and number, single or in batch.

    Every array argument may carry a leading batch axis N; results then carry it too. Single
    arguments are broadcast against batched ones. A sample with a non-finite number gives NaN
    throughout; a wrong shape or a quaternion whose norm is not 1 raises ArgumentError. All methods
    may be called from several threads: the run-time state is one immutable Environment, which a
    setter swaps, one setter at a time, and a call reads once.
    """

    def __init__(self, model: Model, *, compile: Compile = "background") -> None:
        """Make the facade of `model`.

        Args:
            model: the model.
            compile: "background" compiles kernels in a process of their own while the plain
                functions serve, "wait" waits for them at first use, "off" stays plain.
        """
        if compile not in get_args(Compile):
            raise ArgumentError(f"compile must be one of {get_args(Compile)}, got {compile!r}")
        super().__init__(model)
        self._compile = compile
        self._environment = Environment()
        self._setting = threading.RLock()  # reading, changing and swapping are one step
        self._base_inputs: tuple[Floats, ...] = ()
        self._zeros = np.zeros(model.nv)
        self._evaluators: dict[str, Evaluator] = {}
        self._jacobians: dict[str, Evaluator] = {}
        self._motion = self._evaluator(
            "body_motion", result=LazyBodyMotion, on_kernel=self._shadow_body_motion
        )
        self._centers = self._evaluator("center_of_mass_motion", result=LazyCenterOfMassMotion)
        self.environment = self._environment

    def __repr__(self) -> str:
        """Name the robot and its size."""
        return repr(self._model).replace("Model", "Robot", 1)

    @property
    def compile_mode(self) -> Compile:
        """How its kernels are compiled: "background", "wait" or "off"."""
        return self._compile

    @property
    def environment(self) -> Environment:
        """The run-time state that calls read; assign another to change it as one."""
        return self._environment

    @environment.setter
    def environment(self, environment: Environment) -> None:
        if not isinstance(environment, Environment):
            raise ArgumentError(f"an Environment is needed, got {environment!r}")
        with self._setting:
            if self._model.base == "prescribed":
                self._base_inputs = (base_motion_array(environment.base_motion),)
            self._environment = environment

    @property
    def gravity(self) -> Floats:
        """The physical gravity vector (3,), world axes, m/s^2; it points down."""
        return self._environment.gravity

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        vector = float_array("gravity", gravity, (3,))
        if vector.ndim != 1 or not np.all(np.isfinite(vector)):
            raise ArgumentError("gravity must be three finite numbers")
        with self._setting:
            self.environment = self._environment.with_gravity(vector)

    def set_base_motion(
        self,
        position: ArrayLike = (0.0, 0.0, 0.0),
        quaternion: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        *,
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        linear_velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_acceleration: ArrayLike = (0.0, 0.0, 0.0),
        linear_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    ) -> BaseMotion:
        """Set and return the motion of a prescribed base (document A's given state of b_1).

        Args:
            position: (3,) of the root link's origin, world axes, m.
            quaternion: (4,) x y z w, root link axes to world axes.
            angular_velocity: (3,) world axes, rad/s.
            linear_velocity: (3,) of the origin, world axes, m/s.
            angular_acceleration: (3,) world axes, rad/s^2.
            linear_acceleration: (3,) classical, of the origin, world axes, m/s^2.

        Raises:
            ArgumentError: the base is not "prescribed", or a value is unfit.
        """
        if self._model.base != "prescribed":
            raise ArgumentError(
                f"the base of this robot is {self._model.base!r}; load it with base='prescribed'"
                " to prescribe its motion"
            )
        motion = base_motion(
            position,
            quaternion,
            angular_velocity,
            linear_velocity,
            angular_acceleration,
            linear_acceleration,
        )
        with self._setting:
            self.environment = self._environment.with_base_motion(motion)
        return motion

    def report(self) -> ModelReport:
        """Return the model report."""
        return self._model.report()

    def body_motion(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: LazyBodyMotion | None = None,
    ) -> LazyBodyMotion:
        """Return pose, velocity and acceleration of every body, body 0 included.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            a: accelerations (nv,) or (N, nv); zero by default.
            out: an earlier result of the same shape, to be filled and returned.

        Returns:
            position, rotation, angular_velocity, linear_velocity, angular_acceleration and
            linear_acceleration: world axes, row = body, linear accelerations classical.
        """
        if v is None:
            v = self._zeros
        if a is None:
            a = self._zeros
        if out is not None:
            self._motion.careful(q, v, a, *self._base_inputs, out=LazyBodyMotion.arrays_of(out))
            return out
        motion: LazyBodyMotion = self._motion.call(q, v, a, *self._base_inputs)
        return motion

    def _shadow_body_motion(self, kernel: Kernel) -> None:
        """Let the kernel's own function answer `body_motion`; what it cannot take comes back here.

        A Python frame round an arm's kernel would cost as much as the kernel.
        """
        if self._model.base != "prescribed" and kernel.takes_keywords:
            function = kernel.call_with(type(self).body_motion.__get__(self), self._motion.wrap)
            vars(self)["body_motion"] = function

    def center_of_mass_motion(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: LazyCenterOfMassMotion | None = None,
    ) -> LazyCenterOfMassMotion:
        """Return position, velocity and acceleration of every body's centre of mass.

        Arguments are those of `body_motion`; rows are bodies, world axes.
        """
        inputs = (
            q,
            self._zeros if v is None else v,
            self._zeros if a is None else a,
            *self._base_inputs,
        )
        if out is not None:
            self._centers.careful(*inputs, out=LazyCenterOfMassMotion.arrays_of(out))
            return out
        centers: LazyCenterOfMassMotion = self._centers.call(*inputs)
        return centers

    def jacobian(self, q: ArrayLike, frame: str, out: Floats | None = None) -> Floats:
        """Return J (6, nv) or (N, 6, nv): [omega; velocity] of the frame's origin = J v.

        World axes, angular rows first. A mimic follower's part is in its driver's column.

        Args:
            q: coordinates (nq,) or (N, nq).
            frame: name of a body or frame.
            out: an array to fill and return.

        Raises:
            UnknownNameError: no such frame.
        """
        evaluator = self._jacobians.get(frame)
        if evaluator is None:
            evaluator = self._jacobians[frame] = self._evaluator(f"jacobian:{frame}")
        if out is not None:
            evaluator.careful(q, *self._base_inputs, out=(out,))
            return out
        jacobian: Floats = evaluator.call(q, *self._base_inputs)
        return jacobian if jacobian.ndim > 1 else jacobian.reshape(6, self._model.nv)

    def compile(self, *names: str) -> bool:
        """Wait until kernels are compiled and in use; True where all of them are.

        `names` are "body_motion", "center_of_mass_motion" (both by default), "jacobian:<frame>".
        """
        names = names or ("body_motion", "center_of_mass_motion")
        evaluators = [self._evaluator(name) for name in names]
        for evaluator in evaluators:
            evaluator.adopt()
        ready = [evaluator.adopt(wait=True) for evaluator in evaluators]
        return all(ready)

    def kernel_states(self) -> dict[str, str]:
        """Return "plain", "compiling" or "compiled" for each operation used so far."""
        return {name: evaluator.state for name, evaluator in self._evaluators.items()}

    def _evaluator(
        self,
        name: str,
        *,
        result: type[LazyResult] | None = None,
        on_kernel: Callable[[Kernel], None] | None = None,
    ) -> Evaluator:
        evaluator = self._evaluators.get(name)
        if evaluator is None:
            described = operation(self._model, name)
            source = KernelSource(self._model, described, self._compile)
            evaluator = Evaluator(
                self._model, described, source, result=result, on_kernel=on_kernel
            )
            self._evaluators[name] = evaluator
        return evaluator
