"""What all compiled functions of a robot share: run-time state, evaluators, native calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.configurations import Configurations
from robodyn_ros.robot.evaluator import Evaluator
from robodyn_ros.robot.kernel_source import Compile, KernelSource
from robodyn_ros.robot.operations import KINDS
from robodyn_ros.robot.results import LazyResult
from robodyn_ros.robot.run_time import RunTime

Floats = NDArray[np.float64]


class Functions(Configurations):
    """Evaluates the operations of the catalogue in the environment of the moment.

    A public method of a subclass has the name of its operation. Once that has a kernel, the
    kernel's own function takes the method's place in the instance, the environment's arrays bound
    to it: a Python frame round an arm's kernel would cost more than the kernel. Whatever the
    kernel cannot take comes back to the method, and so does every call of a function of before the
    environment changed. A method that a subclass or an instance has of its own stays in its place.
    """

    #: Methods that a kernel may answer, with the arguments that a caller may leave out.
    NATIVE: ClassVar[dict[str, int]] = {}
    #: Classes of results that have several arrays, by operation.
    RESULTS: ClassVar[dict[str, type[LazyResult]]] = {}

    def __init__(self, model: Model, *, compile: Compile = "background") -> None:
        """Make the facade of `model`; `compile` as in `Robot`."""
        if compile not in get_args(Compile):
            raise ArgumentError(f"compile must be one of {get_args(Compile)}, got {compile!r}")
        super().__init__(model)
        self._compile = compile
        self._setting = threading.RLock()  # reading, changing and swapping are one step
        self._zeros = np.zeros(model.nv)
        self._evaluators: dict[str, Evaluator] = {}
        self._bound: dict[str, tuple[Callable[..., Any], Callable[[], None]]] = {}
        self._run_time = RunTime(model, model.defaults.environment)

    @property
    def environment(self) -> Environment:
        """The run-time state that calls read; assign another to change it as one."""
        return self._run_time.environment

    @environment.setter
    def environment(self, environment: Environment) -> None:
        if not isinstance(environment, Environment):
            raise ArgumentError(f"an Environment is needed, got {environment!r}")
        with self._setting:
            self._run_time = RunTime(self._model, environment)
            for method in self.NATIVE:
                self._bind(method)

    @property
    def compile_mode(self) -> Compile:
        """How its kernels are compiled: "background", "wait" or "off"."""
        return self._compile

    def compile(self, *names: str, wait: bool = True) -> bool:
        """Wait until kernels are compiled and in use; True where all of them are.

        `names` are those of operations, "inverse_dynamics" or "jacobian:<frame>", in the form that
        the present environment needs; by default "body_motion" and "center_of_mass_motion". With
        `wait` False they are only asked for, and come into use once they are there.
        """
        names = names or ("body_motion", "center_of_mass_motion")
        run_time = self._run_time
        evaluators = [self._evaluator(self._current(name, run_time)) for name in names]
        for evaluator in evaluators:
            evaluator.adopt()
        ready = [evaluator.adopt(wait=wait) for evaluator in evaluators]
        return all(ready)

    def kernel_states(self) -> dict[str, str]:
        """Return "plain", "compiling" or "compiled" for each operation used so far."""
        return {name: evaluator.state for name, evaluator in list(self._evaluators.items())}

    def _call(self, name: str, arguments: tuple[Any, ...], out: Any = None) -> Any:
        """Evaluate an operation for the arguments of a call, in the present environment."""
        run_time = self._run_time
        evaluator = self._evaluator(self._current(name, run_time))
        inputs = run_time.inputs(evaluator.operation.run_time)
        if out is None:
            return evaluator.call(*arguments, *inputs)
        kind = self.RESULTS.get(_word(name))
        arrays = (out,) if kind is None else kind.arrays_of(out)
        filled = evaluator.careful(*arguments, *inputs, out=arrays)
        if kind is not None:
            out.take(filled)
        return out

    def _current(self, name: str, run_time: RunTime) -> str:
        """Return the operation's name with the flag that the environment needs."""
        if not isinstance(name, str):
            raise UnknownNameError.among("operation", name, KINDS)
        kind = KINDS.get(_word(name))
        loadable = run_time.loaded and kind is not None and "loaded" in kind.flags
        return f"{name}+loaded" if loadable and not name.endswith("+loaded") else name

    def _evaluator(self, name: str) -> Evaluator:
        evaluator = self._evaluators.get(name)
        if evaluator is None:
            with self._setting:
                if name in self._evaluators:
                    return self._evaluators[name]
                described = operation(self._model, name)
                source = KernelSource(self._model, described, self._compile)
                method = name.removesuffix("+loaded")
                on_kernel = partial(self._bind, method) if method in self.NATIVE else None
                result = self.RESULTS.get(_word(name))
                evaluator = Evaluator(
                    self._model, described, source, result=result, on_kernel=on_kernel
                )
                self._evaluators[name] = evaluator
        return evaluator

    def _bind(self, method: str) -> None:
        """Let the kernel's own function answer `method` in the present environment, if it can."""
        with self._setting:
            before, end = self._bound.pop(method, (None, None))
            if end is not None:
                end()
            if vars(self).get(method) is before:
                vars(self).pop(method, None)
            if method in vars(self) or not self._is_ours(method):
                return
            run_time = self._run_time
            evaluator = self._evaluators.get(self._current(method, run_time))
            if evaluator is None:
                return
            bound = run_time.inputs(evaluator.operation.run_time)
            fallback = getattr(type(self), method).__get__(self)
            defaults = (self._zeros,) * self.NATIVE[method]
            native = evaluator.bind(fallback, bound, defaults)
            if native is not None:
                self._bound[method] = native
                vars(self)[method] = native[0]

    def _is_ours(self, method: str) -> bool:
        """Return whether a method is that of the class that names it as native."""
        owner = next(kind for kind in type(self).__mro__ if "NATIVE" in vars(kind))
        return getattr(type(self), method, None) is getattr(owner, method)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to this object and process: kernels and locks."""
        left_out = ("_setting", "_evaluators", "_bound", *self._bound)
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state over; kernels are asked for anew, and found in the cache."""
        vars(self).update(state, _setting=threading.RLock(), _evaluators={}, _bound={})

    def _rates(self, *rates: Any) -> tuple[Any, ...]:
        """Return rates or accelerations with zeros for None."""
        return tuple(self._zeros if x is None else x for x in rates)


def _word(name: str) -> str:
    """Return the kind in an operation's name."""
    return name.partition(":")[0].partition("+")[0]
