"""MuJoCo, where it is installed."""

from __future__ import annotations

from typing import Any

from robodyn_ros.errors import RobodynError

OLDEST = "3.2"
INSTALL = "pip install 'robodyn_ros[mujoco]', or mujoco"


def mujoco_engine() -> Any:
    """Return the module mujoco.

    Raises:
        RobodynError: it is not installed, cannot be loaded, or is too old.
    """
    try:
        import mujoco
    except (ImportError, OSError) as error:
        raise RobodynError(f"co-simulation needs MuJoCo: {error}; {INSTALL}") from None
    if not hasattr(mujoco, "MjSpec"):
        raise RobodynError(
            f"co-simulation needs MuJoCo {OLDEST} or later, not {mujoco.__version__}; {INSTALL}"
        )
    if mujoco.get_mju_user_warning() is None:
        # It would write them to a file in the working directory. What matters is seen in the state.
        mujoco.set_mju_user_warning(_ignore)
    return mujoco


def _ignore(warning: str) -> None:
    """Take a warning of MuJoCo's."""
