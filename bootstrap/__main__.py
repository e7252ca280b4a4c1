"""Make `.venv`, the environment in which this checkout runs: `python3 bootstrap --level test`.

With a sourced ROS 2 the environment uses it; otherwise the client library comes as wheels. Each
step is done again only when its inputs changed, so a second run takes a fraction of a second.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import interfaces
import project
import wheels
from commands import run, say
from host import BootstrapError, Host, examine
from stamps import Stamps, digest

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "bootstrap"
CONSTRAINTS = HERE / "constraints.txt"
LEVELS = ("runtime", "test")
# Packages that the generated code of interfaces depends on, by the start of their names.
_GENERATORS = ("ros-", "numpy", "empy", "lark")


class Bootstrap:
    """The steps, in order; each knows its inputs."""

    def __init__(self, host: Host, venv: Path, *, check: bool = False) -> None:
        """Make the environment `venv` on the machine `host`; with `check` only look at it."""
        self.outdated: list[str] = []
        self.check = check
        self.host = host
        self.venv = venv
        self.work = venv / ".bootstrap"
        self.stamps = Stamps(self.work)

    def make(self, level: str) -> None:
        """Do every step of `level` whose inputs changed."""
        base = digest([repr(self.host), str(self.venv)])
        self._step("venv", base, self._create)
        hook = digest([base, HERE / "environment.py"])
        self._step("environment", hook, self._install_hook)
        tools = digest([base, *self._pins("pip", "setuptools")])
        self._step("tools", tools, self._install_tools)
        runtime = [HERE / "runtime.txt", HERE / "viewer.txt"]
        if not self.host.ros_prefixes:
            runtime.append(HERE / "ros.txt")
        self._packages("runtime", base, runtime)
        steps = self._interfaces(base)
        if level == "test":
            steps.append(partial(self._packages, "test", base, [HERE / "test.txt"]))
        _do_at_once(steps)
        package = digest([base, HERE / "project.py", *project.inputs(ROOT)])
        self._step("package", package, project.install, ROOT, self.venv, self.work)

    def _step(self, name: str, inputs: str, action: Callable[..., None], *arguments: Any) -> None:
        if not self.stamps.is_current(name, inputs):
            self.outdated.append(name)
            if self.check:
                return
            self.stamps.forget(name)
            action(*arguments)
            self.stamps.record(name, inputs)

    def _pins(self, *starts: str) -> list[str]:
        lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith(starts)]

    def _create(self) -> None:
        if self.venv.exists():
            if not self.work.is_dir():
                raise BootstrapError(f"{self.venv} was made by somebody else: move it away first")
            say(f"making {self.venv.name} anew: the Python or the ROS 2 has changed")
            shutil.rmtree(self.venv)
        # The mark comes first: an interrupted run leaves a directory that the next may replace.
        self.work.mkdir(parents=True)
        ros = self.host.ros_distro or "sourced"
        kind = f"with ROS 2 ({ros})" if self.host.ros_prefixes else "with the ROS 2 wheels"
        version = ".".join(map(str, self.host.version))
        command = [self.host.python, "-m", "venv", self.venv]
        if self.host.ros_prefixes:
            command.append("--system-site-packages")
        run(f"environment for Python {version} {kind}", command, self.work / "venv.log")

    def _install_hook(self) -> None:
        site = wheels.site_packages(self.venv, self.host)
        shutil.copyfile(HERE / "environment.py", site / "robodyn_environment.py")
        # Sorts before the ROS wheels' own hook, which then has nothing left to do.
        hook = "import robodyn_environment; robodyn_environment.enter()\n"
        (site / "robodyn_environment.pth").write_text(hook, encoding="ascii")

    def _install_tools(self) -> None:
        names = ["pip", "setuptools"]
        wheels.install("pip and setuptools", self.venv, CONSTRAINTS, names, self.work / "tools.log")

    def _packages(self, level: str, base: str, lists: list[Path]) -> None:
        inputs = digest([base, CONSTRAINTS, *lists])
        self._step(level, inputs, self._install_packages, level, lists)

    def _install_packages(self, level: str, lists: list[Path]) -> None:
        wanted: list[str | Path] = [*lists]
        if level == "runtime" and shutil.which("cmake") is None:
            wanted.append("cmake")
        log = self.work / f"{level}.log"
        wheels.install(f"{level} packages", self.venv, CONSTRAINTS, wanted, log)
        if level == "runtime" and not self.host.ros_prefixes:
            wheels.mend_baked_paths(self.venv, self.host)

    def _interfaces(self, base: str) -> list[Callable[[], None]]:
        """Return the builds, none of which needs another."""
        files = (HERE / "interfaces.py", HERE / "unity.cmake")
        recipe = digest([base, *files, *self._pins(*_GENERATORS)])
        self._step("recipe", recipe, interfaces.forget_builds, self.work)
        packages = {"robodyn_interfaces": ROOT / "interfaces"}
        if not interfaces.has_tf2_msgs(self.venv, self.host, self.work):
            packages["tf2_msgs"] = HERE / "tf2_msgs"
        place = (self.venv, self.host, self.work)
        return [
            partial(
                self._step, name, digest([recipe, source]), interfaces.build, name, source, *place
            )
            for name, source in packages.items()
        ]


def _do_at_once(steps: list[Callable[[], None]]) -> None:
    """Do independent steps side by side: each has times in which it leaves a core idle."""
    with ThreadPoolExecutor(len(steps)) as pool:
        for step in [pool.submit(step) for step in steps]:
            step.result()


def main() -> int:
    """Run the bootstrap; return the exit code."""
    parser = argparse.ArgumentParser(prog="bootstrap", description=__doc__)
    parser.add_argument("--level", choices=LEVELS, default="runtime")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where to make it")
    parser.add_argument("--check", action="store_true", help="tell what is out of date, no more")
    arguments = parser.parse_args()
    venv = arguments.venv.absolute()
    try:
        with _locked(venv.parent):
            made = Bootstrap(examine(), venv, check=arguments.check)
            made.make(arguments.level)
    except BootstrapError as error:
        print(f"bootstrap: {error}", file=sys.stderr)
        return 1
    if arguments.check and made.outdated:
        say(f"out of date: {', '.join(made.outdated)}")
        return 1
    return 0


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keep other bootstraps away from `directory` meanwhile."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another bootstrap to finish ...")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main())
