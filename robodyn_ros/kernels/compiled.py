"""A compiled kernel as data: object code and what is needed to call it, to keep or to send."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.compile import compile_object
from robodyn_ros.kernels.emit import emit
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target

_MAGIC = b"robodyn kernel 2\n"
_DIGEST_SIZE = hashlib.sha256().digest_size


@dataclass(frozen=True)
class CompiledKernel:
    """Object code with the functions that :data:`emit.ENTRIES` names.

    Attributes:
        signature: Inputs and outputs.
        code: The object file.
        width: Samples a turn of the batch.
        instructions: How many arithmetic instructions the program has.
    """

    signature: Signature
    code: bytes
    width: int
    instructions: int

    def to_bytes(self) -> bytes:
        """Return a self-describing file with a digest of its own content."""
        facts = {
            "name": self.signature.name,
            "inputs": self.signature.inputs,
            "outputs": self.signature.outputs,
            "width": self.width,
            "instructions": self.instructions,
        }
        header = json.dumps(facts).encode()
        content = len(header).to_bytes(8, "little") + header + self.code
        return _MAGIC + hashlib.sha256(content).digest() + content

    @classmethod
    def from_bytes(cls, file: bytes) -> CompiledKernel:
        """Return what `to_bytes` wrote.

        Raises:
            CompilationError: The file is of another make, cut short or changed. (Object code that
                is damaged must never reach the linker: it would crash the process.)
        """
        content = file[len(_MAGIC) + _DIGEST_SIZE :]
        digest = file[len(_MAGIC) : len(_MAGIC) + _DIGEST_SIZE]
        if not file.startswith(_MAGIC) or hashlib.sha256(content).digest() != digest:
            raise CompilationError("a stored kernel is damaged")
        end = 8 + int.from_bytes(content[:8], "little")
        facts = json.loads(content[8:end])
        inputs, outputs = (
            tuple((name, tuple(shape)) for name, shape in facts[side])
            for side in ("inputs", "outputs")
        )
        return cls(
            Signature(facts["name"], inputs, outputs),
            content[end:],
            facts["width"],
            facts["instructions"],
        )


def compile_program(program: Program, target: Target) -> CompiledKernel:
    """Return `program` compiled for `target`.

    Raises:
        CompilationError: LLVM is missing or refuses.
    """
    return CompiledKernel(
        program.signature,
        compile_object(emit(program, target), target),
        target.width,
        program.instruction_count,
    )
