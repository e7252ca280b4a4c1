"""`robodyn torque` as a process: on a terminal, and what it imports."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

from robodyn_ros.cli.torque_rows import TERMS

COMMAND = [sys.executable, "-m", "robodyn_ros.cli.main", "torque"]


def on_terminal(columns: int, *arguments: str) -> str:
    """Return what is shown on a terminal, without colours."""
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "40"}
    with subprocess.Popen([*COMMAND, *arguments], stdout=end, stderr=end, env=environment) as run:
        os.close(end)
        shown = bytearray()
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:  # how Linux says that nobody writes any more
            pass
    os.close(terminal)
    assert run.returncode == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def test_on_a_terminal_it_is_a_table_without_what_does_not_fit() -> None:
    state = ["demo_arm", "--q", "joint2=1", "--payload", "gripper_link:1"]
    wide = on_terminal(200, *state)
    assert "┃ coordinate" in wide
    assert all(name in wide for name in TERMS)
    narrow = on_terminal(100, *state)
    assert "0 throughout: inertial, coriolis, friction, armature, external" in narrow
    assert max(map(len, narrow.splitlines())) <= 100
    assert len(on_terminal(20, "demo_arm").splitlines()) >= 8


def test_it_needs_no_ros_and_compiles_nothing() -> None:
    code = (
        "import sys; sys.modules['rclpy'] = None\n"
        "from robodyn_ros.cli.main import main\n"
        "main(['torque', 'demo_arm'])\n"
        "print('llvmlite' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False"
