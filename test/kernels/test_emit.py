"""Every operation, chunked and whole, at every width; and other processors than this one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels import chunk
from robodyn_ros.kernels import elementary as el
from robodyn_ros.kernels import scalar as sc
from robodyn_ros.kernels import target as target_module
from robodyn_ros.kernels.compile import LoadedCode, compile_object
from robodyn_ros.kernels.compiled import compile_program
from robodyn_ros.kernels.emit import emit, lowered
from robodyn_ros.kernels.kernel import Kernel
from robodyn_ros.kernels.layout import ObjectLayout
from robodyn_ros.kernels.target import Target

ROUNDING = 1e-13

OPERATIONS = {
    "arithmetic": lambda x, y: (x + y) * (x - y) / (2.0 + x * x) - y,
    "negation": lambda x, y: -x * y - (-y),
    "powers": lambda x, y: x**3 + y**2 - (2.0 + x * x) ** -2,
    "inverse": lambda x, y: 1.0 / (3.0 + x) + 2.0 * y,
    "square root": lambda x, y: sc.sqrt(x * x + y * y),
    "absolute": lambda x, y: abs(x) - abs(-y),
    "angle": sc.arctan2,
    "arcs": lambda x, y: (
        el.arctan(x + y) + el.arcsin(sc.sin(x)) * el.arccos(sc.cos(y)) + sc.arctan2(2.0, y)
    ),
    "exponentials": lambda x, y: el.exp(x - y) - el.log(2.0 + x * x + y * y),
    "any power": lambda x, y: el.power(3.0 + x * x, y) + el.power(x * x, 0.3) + el.power(2.0, x),
    "sine of sine": lambda x, y: sc.sin(sc.cos(x) + sc.sin(y)),
    "less": lambda x, y: sc.where(sc.less(x, y), x, 2.0 * y),
    "less or equal": lambda x, y: sc.where(sc.less_equal(x, 0.25), x, y),
    "greater": lambda x, y: sc.where(sc.greater(x, y), x, 0.0),
    "greater or equal": lambda x, y: sc.where(sc.greater_equal(x, 0.25), 0.0, y),
    "extremes": lambda x, y: sc.minimum(x, y) - 3.0 * sc.maximum(x, 0.1),
    "condition as a number": lambda x, y: sc.where(sc.less(x, y), 1.0, 0.0) * 3.0 + x,
    "and": lambda x, y: sc.where(sc.less(x, y) & sc.less(0.0, y), x, y),
    "or": lambda x, y: sc.where(sc.less(x, y) | sc.less(0.0, y), x, y),
    "not": lambda x, y: sc.where(~sc.less(x, y), x, y),
    "nested": lambda x, y: sc.where(sc.less(x, 0.0), sc.where(sc.less(y, 0.0), x, y), x * y),
    "constant": lambda x, y: 0.0 * x + 4.25,
    "input": lambda x, y: y,
}


@pytest.fixture(params=["whole", "chunks"])
def cut(request, monkeypatch):
    if request.param == "chunks":
        monkeypatch.setattr(chunk, "WHOLE", 0)
        monkeypatch.setattr(chunk, "CHUNK", 2)


@pytest.mark.usefixtures("cut")
@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operation(kernel_of, name, width):
    formula = OPERATIONS[name]
    kernel = kernel_of(
        lambda x, y: (formula(x, y),), (("x", ()), ("y", ())), (("z", ()),), width=width
    )
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 19))
    x[:3], y[1:4] = 0.25, 0.25
    z = np.empty(19)
    assert kernel.batch([x, y], [z]) == 0
    np.testing.assert_allclose(z, formula(x, y), rtol=ROUNDING, atol=ROUNDING)
    single = [kernel.single(np.array(a), np.array(b)) for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(z, single)


@pytest.mark.parametrize("size", [1, 3, 10])
def test_chunks_change_nothing(chain_program, chain_kernels, example, size, monkeypatch):
    monkeypatch.setattr(chunk, "WHOLE", 0)
    monkeypatch.setattr(chunk, "CHUNK", size)
    target = Target.host(4)
    kernel = Kernel(compile_program(chain_program, target), lambda *a: None, target)
    inputs = example.inputs(10)
    inputs[0][4] = np.nan
    expected, outputs = (example.outputs(example.signature, 10) for _ in range(2))
    assert chain_kernels[4].batch(inputs, expected) == kernel.batch(inputs, outputs) == 1
    np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))
    np.testing.assert_array_equal(
        kernel.single(*(np.array(x[0]) for x in inputs)), example.flat(expected)[0]
    )


def test_a_choice_keeps_the_other_sides_accidents_out(kernel_of):
    def safe(x):
        positive = sc.less(0.0, x)
        return (sc.where(positive, 1.0 / sc.where(positive, x, 1.0), -5.0), 1.0 / x)

    kernel = kernel_of(safe, (("x", ()),), (("y", ()), ("z", ())))
    y, z = np.empty(3), np.empty(3)
    kernel.batch([np.array([0.0, -2.0, 4.0])], [y, z])
    np.testing.assert_array_equal(y, [-5.0, -5.0, 0.25])
    np.testing.assert_array_equal(z, [np.inf, -0.5, 0.25])


def test_no_fast_math_and_no_addresses(chain_program):
    text = emit(chain_program, Target.host())
    assert not any(flag in text for flag in (" fast ", " nnan ", " contract ", " reassoc "))
    assert "inttoptr" not in text


_X86, _ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
OTHER_MACHINES = {
    "old x86": Target(_X86, "x86-64", "", 2, ObjectLayout()),
    "AVX-512": Target(_X86, "skylake-avx512", "+avx512f,+fma,+avx2", 8, ObjectLayout()),
    "Arm": Target(_ARM, "cortex-a72", "", 2, ObjectLayout()),
}


@pytest.mark.parametrize("name", OTHER_MACHINES)
def test_other_machines_code_is_generated(chain_program, name):
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = OTHER_MACHINES[name]
    module = llvm.parse_assembly(emit(chain_program, target))
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=2
    )
    assembly = machine.emit_assembly(module)
    marks = {"old x86": "xmm", "AVX-512": "zmm", "Arm": "fmadd"}
    assert marks[name] in assembly
    assert ("sfence" in assembly) == target.is_x86


def test_products_are_fused_only_where_that_is_one_instruction(chain_program):
    plain = lowered(chain_program, OTHER_MACHINES["old x86"])
    fused = lowered(chain_program, replace(Target.host(), features="+fma"))
    assert plain.operation_counts["fma"] == 0 < fused.operation_counts["fma"]


@pytest.mark.skipif(not Target.host().is_x86, reason="the code is for x86")
def test_code_without_fused_products_works_too(chain_program, example):
    target = OTHER_MACHINES["old x86"]
    kernel = Kernel(compile_program(chain_program, target), lambda *a: None, target)
    inputs, outputs = example.inputs(11), example.outputs(example.signature, 11)
    assert kernel.batch(inputs, outputs) == 0
    for output, plain in zip(outputs, example.function(*inputs), strict=True):
        np.testing.assert_allclose(output, plain, rtol=10 * ROUNDING, atol=10 * ROUNDING)
    single = [kernel.single(*map(np.array, sample)) for sample in zip(*inputs, strict=True)]
    np.testing.assert_array_equal(example.flat(outputs), single)


def test_bad_text_and_bad_code_are_refused():
    target = Target.host()
    with pytest.raises(CompilationError, match="LLVM refused the module"):
        compile_object("define void @f() { nonsense }", target)
    with pytest.raises(CompilationError, match="cannot be loaded"):
        LoadedCode(b"no object file", target, ("call",))
    code = compile_object("define void @f() {\n  ret void\n}", target)
    with pytest.raises(CompilationError, match="cannot be loaded"):
        LoadedCode(code, target, ("g",))


@pytest.mark.parametrize(
    ("features", "width"), [("+avx512f,+avx2,+avx", 8), ("+avx2,+avx", 4), ("+sse2", 2), ("", 2)]
)
def test_native_width(features, width):
    assert replace(Target.host(), features=features).native_width == width


@pytest.fixture
def _fresh_host():
    target_module._host.cache_clear()
    yield
    target_module._host.cache_clear()


@pytest.mark.usefixtures("_fresh_host")
def test_too_old_a_compiler_is_refused_by_version(monkeypatch):
    import llvmlite.binding as llvm

    monkeypatch.setattr(llvm, "llvm_version_info", (15, 0, 7))
    with pytest.raises(CompilationError, match=r"llvmlite 0\.45 or newer, this one has LLVM 15"):
        Target.host()
