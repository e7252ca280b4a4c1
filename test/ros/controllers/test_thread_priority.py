"""Controllers ask for real-time priority, and go on without it."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, threading
from pathlib import Path
from robodyn_ros.ros.controllers.thread_priority import leave, prefer
end = threading.Event()
threading.Thread(target=end.wait).start()
def policies():
    return [os.sched_getscheduler(int(task.name)) for task in Path("/proc/self/task").iterdir()]
{before}
problem = prefer(7)
print(problem)
print(*policies())
child = os.fork()
if not child:
    os._exit(os.sched_getscheduler(0))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
leave()
print(*policies())
end.set()
"""
FORBIDDEN = """
import resource
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
if not os.getuid():
    os.setuid(65534)
"""


def told(before: str) -> list[str]:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return found.stdout.splitlines()


def test_all_threads_have_it_until_it_ends_and_children_never() -> None:
    problem, during, child, after = told("")
    other, first_in_first_out, reset_on_fork = 0, 1, 0x40000000
    if not problem:
        assert during == " ".join([str(first_in_first_out | reset_on_fork)] * 2)
    assert child == str(other)
    assert after == f"{other} {other}"


def test_where_it_is_forbidden_it_goes_on_and_says_so() -> None:
    problem, during, child, after = told(FORBIDDEN)
    assert problem.startswith("thread_priority 7 cannot be had (Operation not permitted)")
    assert "rtprio 7 in /etc/security/limits.conf" in problem
    assert during == after == "0 0"
    assert child == "0"
