"""Joint states as no sane publisher sends them: bytes that are damaged, and sound ones of nonsense.

Everything is drawn from the generator that is passed in, so a seed says which.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Sequence

from rclpy.serialization import serialize_message

from joint_state_bytes import joint_state
from robodyn_ros.ros.cdr.joint_state_reader import LONGEST_TAIL

HUGE_COUNT = 2**32 - 1
NUMBERS = (
    *(0.0, -0.0, 0.25, 1.5, -math.pi, 1e3, -1e6, 9.9e8, 1.1e9, 1e15, -1e60, 1e150, 1.7e308),
    *(5e-324, -2.2e-308, math.nan, -math.nan, math.inf, -math.inf),
)
"""From harmless to absurd."""
SECONDS = (0, 1, 2, -1, 1000, -1000, 1_700_000_000, 2**31 - 2, 2**31 - 1, -(2**31), -(2**31) + 1)
NANOSECONDS = (0, 1, 2, 5 * 10**8, 10**9 - 1, 10**9, 2**31, 2**32 - 1)
ODD_NAMES = (
    "",
    "a",
    "joint",
    "säule",
    "関節",
    "x" * 300,
    "/",
    "base_link",
    "\x01",
    "nan",
    "%s{}\n",
)
FORMS = ("{}/position", "left_{}", "{} ", "{}_", "robot/{}", "{}.", "{}\x00")
"""What drivers make of the names of joints."""

Damage = Callable[[bytes, random.Random], bytes]


def truncated(data: bytes, rng: random.Random) -> bytes:
    """Cut off anywhere."""
    return data[: rng.randrange(len(data))]


def prolonged(data: bytes, rng: random.Random) -> bytes:
    """With something behind the end."""
    return data + rng.randbytes(rng.choice([1, 3, 4, 8, LONGEST_TAIL, LONGEST_TAIL + 1, 100]))


def other_header(data: bytes, rng: random.Random) -> bytes:
    """As if encoded otherwise."""
    head = rng.choice(
        [b"\0\0", b"\0\2", b"\0\3", b"\0\6", b"\0\7", b"\0\x0b", b"\1\1", b"\xff\xff"]
    )
    return head + data[2:]


def other_options(data: bytes, rng: random.Random) -> bytes:
    """With other options of the encoding, which mean nothing."""
    return data[:2] + rng.randbytes(2) + data[4:]


def other_word(data: bytes, rng: random.Random) -> bytes:
    """One word replaced, by what is a bad count more often than not."""
    at = 4 * rng.randrange(1, len(data) // 4)
    counts = [0, 1, 2, 3, 2**16, 2**29, 2**31 - 1, 2**31, HUGE_COUNT, rng.getrandbits(32)]
    return data[:at] + struct.pack("<I", rng.choice(counts)) + data[at + 4 :]


def other_bytes(data: bytes, rng: random.Random) -> bytes:
    """Some bytes replaced."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def swapped(data: bytes, rng: random.Random) -> bytes:
    """Two parts exchanged."""
    cut, end = sorted(rng.sample(range(len(data)), 2))
    return data[:cut] + data[end:] + data[cut:end]


def unchanged(data: bytes, rng: random.Random) -> bytes:
    """As it was."""
    return data


DAMAGES: tuple[Damage, ...] = (
    truncated,
    prolonged,
    other_header,
    other_options,
    other_word,
    other_bytes,
    swapped,
    unchanged,
)


def noise(rng: random.Random) -> bytes:
    """Return any bytes, some of them behind a sound header."""
    return rng.choice([b"", b"\0\1\0\0", b"\0\1"]) + rng.randbytes(rng.choice([0, 3, 12, 40, 200]))


def sound_nonsense(names: Sequence[str], rng: random.Random) -> bytes:
    """Return a well-formed joint state whose names, lengths, numbers and stamp are as they come."""
    chosen = _names(list(names), rng)

    def numbers() -> list[float]:
        count = rng.choice([len(chosen)] * 6 + [0, 1, len(chosen) + 1, 2 * len(chosen)])
        wild = rng.choice([0.0, 0.1, 1.0])
        return [
            rng.choice(NUMBERS) if rng.random() < wild else rng.uniform(-3.0, 3.0)
            for _ in range(count)
        ]

    stamp = (rng.choice(SECONDS), rng.choice(NANOSECONDS))
    message = joint_state(
        chosen, numbers(), numbers(), rng.choice([[], numbers()]), frame="", stamp=stamp
    )
    return bytes(serialize_message(message))


def _names(names: list[str], rng: random.Random) -> list[str]:
    changed = rng.choice([_same, _same, _some, _reversed, _repeated, _renamed, _strange])
    return changed(names, rng)


def _same(names: list[str], rng: random.Random) -> list[str]:
    return names


def _some(names: list[str], rng: random.Random) -> list[str]:
    return rng.sample(names, rng.randint(0, len(names)))


def _reversed(names: list[str], rng: random.Random) -> list[str]:
    return names[::-1]


def _repeated(names: list[str], rng: random.Random) -> list[str]:
    return names + rng.choices(names, k=3)


def _renamed(names: list[str], rng: random.Random) -> list[str]:
    form = rng.choice(FORMS)
    return [form.format(name) for name in names]


def _strange(names: list[str], rng: random.Random) -> list[str]:
    return rng.choices([*names, *ODD_NAMES], k=rng.randint(0, 12))


def malformed(names: Sequence[str], rng: random.Random) -> bytes:
    """Return something that came on joint_states of a robot with these joints."""
    if rng.random() < 0.05:
        return noise(rng)
    data = sound_nonsense(names, rng)
    return rng.choice(DAMAGES)(data, rng) if rng.random() < 0.5 else data
