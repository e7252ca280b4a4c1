"""LLVM text to object code, and object code into this process."""

from __future__ import annotations

import itertools
from typing import Any

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.target import Target

OPTIMISATION = 2
"""Level of the code generator. LLVM's passes over the IR are not run at all: they change the run
time by less than its noise and cost more than everything else together."""

_library_numbers = itertools.count()


def compile_object(text: str, target: Target) -> bytes:
    """Return the relocatable object code of an LLVM module.

    Raises:
        CompilationError: `text` is no valid module, or LLVM cannot compile it for `target`.
    """
    import llvmlite.binding as llvm

    machine = _machine(llvm, target)
    try:
        module = llvm.parse_assembly(text)
        module.verify()
        return bytes(machine.emit_object(module))
    except RuntimeError as error:
        raise CompilationError(f"LLVM refused the module: {error}") from error


def _machine(llvm: Any, target: Target) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=OPTIMISATION, reloc="pic", jit=True
    )


class LoadedCode:
    """Object code placed in memory, which stays while this object lives."""

    def __init__(self, code: bytes, target: Target, names: tuple[str, ...]) -> None:
        """Load `code` and find the functions `names`.

        Raises:
            CompilationError: the code cannot be linked. Damaged code can crash LLVM instead:
                check its digest first.
        """
        import llvmlite.binding as llvm

        self._linker = llvm.create_lljit_compiler(_machine(llvm, target))
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in names:
            library.export_symbol(name)
        try:
            self._library = library.link(self._linker, f"kernel{next(_library_numbers)}")
        except RuntimeError as error:
            raise CompilationError(f"object code cannot be loaded: {error}") from error

    def address(self, name: str) -> int:
        """Return the address of a function named at loading."""
        return int(self._library[name])
