"""What a process needs to find the ROS packages inside this virtual environment.

The bootstrap copies this file into the site-packages of `.venv` and has a .pth file import it at
every start of that Python. The dynamic loader reads LD_LIBRARY_PATH only when a process begins,
so a process that lacks it is replaced once by itself; its children inherit the right variables.
"""

import glob
import os
import sys

GUARD = "ROBODYN_VENV"


def variables(prefix, environ):
    """Return the variables that differ from `environ` in a process that uses `prefix`.

    Args:
        prefix: root directory of the virtual environment.
        environ: mapping of the present variables.

    Returns:
        Dictionary with the variables to set; empty when all are right.
    """
    carried = os.path.join(prefix, "lib/python3.*/site-packages/ros_*.libs")
    library_dirs = [os.path.join(prefix, "lib"), *sorted(glob.glob(carried))]
    wanted = {
        "AMENT_PREFIX_PATH": _with_first([prefix], environ.get("AMENT_PREFIX_PATH", "")),
        "LD_LIBRARY_PATH": _with_first(library_dirs, environ.get("LD_LIBRARY_PATH", "")),
        # The ROS wheels bring a start-up hook of their own that would replace the process again.
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
    }
    return {name: value for name, value in wanted.items() if environ.get(name) != value}


def _with_first(first, path):
    """Return the search path `path` with the directories `first` in front, none twice."""
    present = [entry for entry in path.split(os.pathsep) if entry]
    if all(entry in present for entry in first):
        return path
    return os.pathsep.join([*first, *(entry for entry in present if entry not in first)])


def enter():
    """Set the variables for this process, replacing it once where the loader needs them."""
    missing = variables(sys.prefix, os.environ)
    os.environ.update(missing)
    if "LD_LIBRARY_PATH" in missing and os.environ.get(GUARD) != sys.prefix:
        os.environ[GUARD] = sys.prefix
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
