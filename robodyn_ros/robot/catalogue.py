"""The catalogue of kernels: which functions of a model are compiled, over which inputs.

An operation's name is "kind", "kind:detail" (a frame) and any flags behind it, "+loaded",
"+external", "+friction". It gives the plain function in the form that a trace needs: arrays in, a
tuple of arrays out, everything that may change at run time among the inputs. First come the
arguments of a call, then the run-time inputs of `robot.run_time`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from robodyn_ros.errors import UnknownNameError
from robodyn_ros.kernels.signature import Port, Signature
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot import run_time
from robodyn_ros.robot.kind import Call, Kind
from robodyn_ros.robot.operations import KINDS
from robodyn_ros.spatial import Array

Evaluate = Callable[..., tuple[Array, ...]]


@dataclass(frozen=True)
class Operation:
    """One compiled function of one model: its signature and its plain form.

    Attributes:
        signature: its inputs and outputs.
        evaluate: the plain form.
        run_time: names of the last inputs, which the robot's environment supplies.
        refuse: raises the error for verdicts that are not 0, given them and the inputs.
    """

    signature: Signature
    evaluate: Evaluate
    run_time: tuple[str, ...] = ()
    refuse: Callable[..., None] | None = None

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.signature.name


def operation(model: Model, name: str) -> Operation:
    """Return the operation `name` of a model.

    Raises:
        UnknownNameError: no such operation, flag or frame.
    """
    kind, detail, flags = _parsed(model, name)
    sizes = {"nb": model.nb, "nq": model.nq, "nv": model.nv, "n": model.lumped.size}
    sizes |= {"10 nb": 10 * model.nb, "markers": len(model.markers), "m": model.closure.rows}
    partition = model.closure.partition
    sizes["mobility"] = len(partition.independent) if partition else model.nv
    arguments = [*kind.arguments, *(["wrenches"] if "external" in flags else [])]
    inputs: list[Port] = [(x, _shape(_ARGUMENTS[x], sizes)) for x in arguments]
    needed = _run_time_inputs(model, kind, "loaded" in flags)
    known = run_time.shapes(model)
    inputs += [(x, known[x]) for x in needed]
    outputs = tuple((field, _shape(shape, sizes)) for field, shape in kind.outputs)
    plain = partial(_evaluate, model, kind, detail, flags, tuple(x for x, _ in inputs))
    refuse = kind.refuse and partial(_refuse, model, kind.refuse, tuple(x for x, _ in inputs))
    signature = Signature(name, tuple(inputs), outputs)
    return Operation(signature, plain, needed, refuse)


_ARGUMENTS: dict[str, tuple[int | str, ...]] = {
    "q": ("nq",),
    "v": ("nv",),
    "a": ("nv",),
    "tau": ("nv",),
    "dt": (),
    "wrenches": ("n", 21),
}


def _shape(shape: tuple[int | str, ...], sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(size if isinstance(size, int) else sizes[size] for size in shape)


def _parsed(model: Model, name: str) -> tuple[Kind, str, frozenset[str]]:
    """Return kind, frame name and flags of an operation's name."""
    # A frame's name may contain anything, a plus sign too: flags are taken from the end.
    word = name.partition(":")[0].partition("+")[0] if isinstance(name, str) else ""
    kind = KINDS.get(word)
    if kind is None:
        listed = [f"{k}:<frame>" if known.of_frame else k for k, known in KINDS.items()]
        raise UnknownNameError.among("operation", name, listed)
    rest, flags = name, set()
    while (end := rest.rpartition("+"))[2] in kind.flags:
        rest = end[0]
        flags.add(end[2])
    head, colon, detail = rest.partition(":")
    if head != word or bool(colon) != kind.of_frame:
        form = f"{word}:<frame>" if kind.of_frame else "+".join((word, *kind.flags))
        raise UnknownNameError.among("operation", name, [form])
    if kind.of_frame:
        detail = model.frame(detail).name
    return kind, detail, frozenset(flags)


def _run_time_inputs(model: Model, kind: Kind, loaded: bool) -> tuple[str, ...]:
    base = ("base_motion",) if model.base == "prescribed" else ()
    return (*kind.surroundings, *base, *(kind.loads if loaded else ()))


def _call(model: Model, detail: str, flags: frozenset[str], named: dict[str, Array]) -> Call:
    return Call(model, detail, flags, named, run_time.surroundings(model, named))


def _evaluate(
    model: Model,
    kind: Kind,
    detail: str,
    flags: frozenset[str],
    names: tuple[str, ...],
    *inputs: Array,
) -> tuple[Array, ...]:
    named = dict(zip(names, inputs, strict=True))
    return kind.evaluate(_call(model, detail, flags, named))


def _refuse(
    model: Model,
    refusal: Callable[[Call, Array], None],
    names: tuple[str, ...],
    verdict: Array,
    *inputs: Array,
) -> None:
    named = dict(zip(names, inputs, strict=True))
    refusal(_call(model, "", frozenset(), named), verdict)


def evaluate_of(model: Model, name: str) -> Evaluate:
    """Return the plain form of an operation; what a compiling process asks for."""
    return operation(model, name).evaluate


def environment_of(base: tuple[Array, ...]) -> Environment:
    """Return the environment of a base motion (..., 24), if there is one."""
    return Environment(base_motion=run_time.base_motion_of(base[0])) if base else Environment()


def guard_of(model: Model) -> Callable[..., Array] | None:
    """Return the function of an operation's inputs that is 0 where all quaternions have norm 1.

    None for a model without quaternions.
    """
    starts = [
        joint.q_index + joint.joint.quaternion_start
        for joint in model.own_joints
        if joint.joint.quaternion_start is not None
    ]
    return partial(_quaternion_guard, tuple(starts)) if starts else None


def _quaternion_guard(starts: tuple[int, ...], q: Array, *_: Array) -> Array:
    from robodyn_ros.robot.arguments import QUATERNION_TOLERANCE
    from robodyn_ros.spatial import where

    total = 0.0 * q[..., 0]
    for start in starts:
        part = q[..., start : start + 4]
        off = (part * part).sum(axis=-1) - 1.0
        total = total + where(off * off > (2.0 * QUATERNION_TOLERANCE) ** 2, 1.0, 0.0)
    return total
