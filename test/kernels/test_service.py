"""Compiling in a process of its own: results, failures of every kind, and no process left over."""

from __future__ import annotations

import gc
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels import notice, recipe
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.kernel import load
from robodyn_ros.kernels.recipe import Recipe, Reference
from robodyn_ros.kernels.service import CompileService
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target

PATIENCE = 60.0

FUNCTIONS = """
import os, signal, sys, time
import numpy as np

def scaled(factor):
    print("chatter on standard output")
    return lambda x: (factor * x * x,)

def guard():
    return lambda x: x[0] - x[0]

def broken(text):
    raise ValueError(text)

def killed():
    os.kill(os.getpid(), signal.SIGKILL)

def silent():
    os._exit(7)

def endless():
    time.sleep(1000)

def reports():
    return lambda x: (np.full(2, float(os.getpid())) + 0.0 * x,)
"""


@pytest.fixture(autouse=True)
def functions(tmp_path, monkeypatch):
    """Make the module `kernel_functions`, which a worker can import too."""
    (tmp_path / "kernel_functions.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(notice, "_said", set())


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def made(name, *arguments, guard=None):
    signature = Signature(name, (("x", (2,)),), (("y", (2,)),))
    return Recipe(signature, Reference(f"kernel_functions:{name}", arguments), guard)


def test_kernel_comes_without_waiting_and_works(cache):
    service = CompileService(cache)
    guard = Reference("kernel_functions:guard")
    began = time.monotonic()
    handle = service.request(made("scaled", 3.0, guard=guard), "three")
    first_look = handle.poll()
    assert time.monotonic() - began < 1.0
    assert first_look is None
    assert handle.state == "compiling"
    compiled = handle.wait(PATIENCE)
    assert handle.state == "ready"
    assert handle.error is None
    assert compiled is handle.poll()
    kernel = load(compiled, lambda *a: None, service.target)
    np.testing.assert_array_equal(kernel.single(np.array([1.0, 2.0])), [3.0, 12.0])


def test_second_request_is_served_from_the_cache(cache):
    compiled = CompileService(cache).request(made("scaled", 3.0), "three").wait(PATIENCE)
    again = CompileService(cache).request(made("scaled", 3.0), "three")
    assert again.state == "ready"
    assert again.kernel == compiled
    other = CompileService(cache).request(made("scaled", 4.0), "four")
    assert other.state == "compiling"


def test_damaged_cache_is_compiled_anew(cache):
    CompileService(cache).request(made("scaled", 3.0), "three").wait(PATIENCE)
    (path,) = cache.directory.glob("*.kernel")
    path.write_bytes(path.read_bytes()[:500])
    handle = CompileService(cache).request(made("scaled", 3.0), "three")
    assert handle.state == "compiling"
    assert handle.wait(PATIENCE) is not None


def test_no_cache_is_no_obstacle():
    assert CompileService(None).request(made("scaled", 2.0), "two").wait(PATIENCE) is not None


def test_several_requests_take_their_turn(cache):
    service = CompileService(cache)
    handles = [service.request(made("scaled", float(k)), str(k)) for k in range(3)]
    last = handles[-1].wait(PATIENCE)
    assert last is not None
    assert [handle.state for handle in handles] == ["ready"] * 3


@pytest.mark.parametrize(
    ("recipe_of", "reason"),
    [
        (lambda: made("broken", "a reason"), "ValueError: a reason"),
        (lambda: made("killed"), "ended by SIGKILL"),
        (lambda: made("silent"), "ended by exit code 7"),
        (lambda: made("nowhere"), "kernel_functions:nowhere cannot be found"),
        (lambda: made("scaled", lambda: 0), "cannot be pickled"),
        (lambda: made("scaled"), "TypeError"),
    ],
)
def test_failure_is_one_warning_with_the_reason(caplog, recipe_of, reason):
    service = CompileService(None)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            handle = service.request(recipe_of(), "failing")
            assert handle.wait(PATIENCE) is None
            assert handle.state == "failed"
            assert reason in str(handle.error)
    assert caplog.text.count("going on without a compiled kernel") == 1
    assert reason in caplog.text


def test_no_room_for_temporary_files_is_one_warning(monkeypatch, caplog):
    def fail():
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "TemporaryFile", fail)
    handle = CompileService(None).request(made("scaled", 2.0), "two")
    assert handle.state == "failed"
    assert "no usable temporary directory" in caplog.text


def test_an_embedded_interpreter_goes_on_without(monkeypatch):
    monkeypatch.setattr(sys, "executable", "")
    handle = CompileService(None).request(made("scaled", 2.0), "two")
    assert "embedded interpreter" in str(handle.error)


def test_a_failure_does_not_hold_up_the_next(cache):
    service = CompileService(cache)
    service.request(made("killed"), "bad")
    assert service.request(made("scaled", 2.0), "good").wait(PATIENCE) is not None


def test_worker_that_takes_too_long_is_ended():
    service = CompileService(None, timeout=0.3)
    handle = service.request(made("endless"), "endless")
    assert handle.wait(PATIENCE) is None
    assert "longer than 0.3 s" in str(handle.error)
    assert handle.state == "failed"


def test_waiting_can_be_given_up(cache):
    handle = CompileService(cache).request(made("endless"), "endless")
    assert handle.wait(0.1) is None
    assert handle.state == "compiling"


def test_too_large_a_program_is_refused(monkeypatch):
    monkeypatch.setattr(recipe, "LIMIT", 3)
    with pytest.raises(CompilationError, match="4 instructions, more than the 3"):
        made("scaled", 3.0).compile(Target.host())


@pytest.mark.parametrize("module", ["llvmlite", "casadi"])
def test_missing_compiler_is_one_warning(tmp_path, module):
    (tmp_path / module).mkdir()
    (tmp_path / module / "__init__.py").write_text("raise ImportError('not installed')")
    code = (
        "from robodyn_ros.kernels.service import CompileService\n"
        "from robodyn_ros.kernels.recipe import Recipe, Reference\n"
        "from robodyn_ros.kernels.signature import Signature\n"
        "signature = Signature('s', (('x', (2,)),), (('y', (2,)),))\n"
        "recipe = Recipe(signature, Reference('kernel_functions:scaled', (2.0,)))\n"
        "service = CompileService(None)\n"
        "handles = [service.request(recipe, 'x') for _ in range(3)]\n"
        "assert [h.wait(60) for h in handles] == [None] * 3\n"
        "assert all('not installed' in str(h.error) for h in handles)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("going on without a compiled kernel") == 1


def test_warm_start_imports_no_casadi(cache, tmp_path):
    CompileService(cache).request(made("scaled", 3.0), "three").wait(PATIENCE)
    code = (
        "import sys, pathlib\n"
        "import numpy as np\n"
        "from robodyn_ros.kernels.cache import Cache\n"
        "from robodyn_ros.kernels.kernel import load\n"
        "from robodyn_ros.kernels.recipe import Recipe, Reference\n"
        "from robodyn_ros.kernels.service import CompileService\n"
        "from robodyn_ros.kernels.signature import Signature\n"
        f"service = CompileService(Cache(pathlib.Path({str(cache.directory)!r})))\n"
        "signature = Signature('scaled', (('x', (2,)),), (('y', (2,)),))\n"
        "recipe = Recipe(signature, Reference('kernel_functions:scaled', (3.0,)))\n"
        "handle = service.request(recipe, 'three')\n"
        "assert handle.state == 'ready'\n"
        "kernel = load(handle.kernel, lambda *a: None, service.target)\n"
        "assert kernel.single(np.ones(2)).tolist() == [3.0, 3.0]\n"
        "assert not {'casadi', 'scipy'} & set(sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def gone(pid):
    end = time.monotonic() + PATIENCE
    while running(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not running(pid)


STARTS_A_WORKER = """
import sys, time
from robodyn_ros.kernels.recipe import Recipe, Reference
from robodyn_ros.kernels.service import CompileService
from robodyn_ros.kernels.signature import Signature
service = CompileService(None)
recipe = Recipe(Signature('endless', (), ()), Reference('kernel_functions:endless'))
handle = service.request(recipe, 'x')
print(service._running[1]._process.pid, flush=True); sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["exit", "kill"])
def test_worker_ends_with_its_parent(how):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_A_WORKER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        worker = int(parent.stdout.readline())
        assert running(worker)
        time.sleep(1.0)
        if how == "kill":
            parent.send_signal(signal.SIGKILL)
        parent.communicate()
    assert gone(worker)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_that_ends_leaves_the_worker_alone():
    service = CompileService(None)
    service.request(made("endless"), "endless")
    worker = service._running[1]._process.pid
    child = os.fork()
    if child == 0:
        service._running[1].kill()
        os._exit(0)
    os.waitpid(child, 0)
    assert running(worker)


def test_a_service_that_goes_takes_its_worker_along():
    service = CompileService(None)
    service.request(made("endless"), "endless")
    worker = service._running[1]._process.pid
    assert running(worker)
    del service
    gc.collect()
    assert gone(worker)
