"""The bootstrap: what it says when something is missing, and that it does nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def bootstrap(
    root: Path, *arguments: str | Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, **variables}
    command = [sys.executable, str(root / "bootstrap"), *map(str, arguments)]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, check=False, timeout=60
    )


def test_finished_steps_are_known_as_such(root: Path):
    done = bootstrap(root, "--level", "test", "--check", "--venv", sys.prefix)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_missing_tools_are_named_with_their_packages(root: Path, tmp_path: Path):
    done = bootstrap(root, "--venv", tmp_path / "venv", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "sudo apt install make g++" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_ros_without_its_python_is_reported(root: Path, tmp_path: Path):
    (tmp_path / "ros").mkdir()
    command = [sys._base_executable, str(root / "bootstrap"), "--venv", str(tmp_path / "venv")]
    environ = {"PATH": "/usr/bin:/bin", "AMENT_PREFIX_PATH": str(tmp_path / "ros")}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    shown = done.stderr
    assert done.returncode == 1
    assert "no Python here finds rclpy" in shown
    assert str(tmp_path / "ros") in shown


def test_directory_of_somebody_else_is_left_alone(root: Path, tmp_path: Path):
    (tmp_path / "precious").write_text("data", encoding="ascii")
    done = bootstrap(root, "--venv", tmp_path)
    assert done.returncode == 1
    assert "made by somebody else" in done.stderr
    assert (tmp_path / "precious").read_text(encoding="ascii") == "data"


def test_own_environment_is_not_taken_for_a_sourced_ros(bootstrap_module, tmp_path: Path):
    venv, ros = tmp_path / "venv", tmp_path / "ros"
    for directory in (venv, ros):
        directory.mkdir()
    (venv / "pyvenv.cfg").touch()
    path = os.pathsep.join([str(venv), str(ros), str(tmp_path / "absent"), ""])
    assert bootstrap_module("host").sourced_prefixes(path) == (ros,)


def test_stamp_follows_names_and_contents(bootstrap_module, tmp_path: Path):
    stamps = bootstrap_module("stamps")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_text("1", encoding="ascii")
    first = stamps.digest(["text", tmp_path / "a"])
    assert stamps.digest(["text", tmp_path / "a"]) == first
    assert stamps.digest(["other", tmp_path / "a"]) != first
    (tmp_path / "a" / "one").rename(tmp_path / "a" / "two")
    assert stamps.digest(["text", tmp_path / "a"]) != first


def test_step_counts_as_done_only_once_recorded(bootstrap_module, tmp_path: Path):
    stamps = bootstrap_module("stamps").Stamps(tmp_path / "stamps")
    assert not stamps.is_current("step", "x")
    stamps.record("step", "x")
    assert stamps.is_current("step", "x")
    assert not stamps.is_current("step", "y")
    stamps.forget("step")
    assert not stamps.is_current("step", "x")


def test_variables_are_complete_and_stay_so(bootstrap_module, tmp_path: Path):
    variables = bootstrap_module("environment").variables
    libraries = tmp_path / "lib" / "python3.12" / "site-packages" / "ros_rcl.libs"
    libraries.mkdir(parents=True)
    environ = {"AMENT_PREFIX_PATH": "/opt/ros", "LD_LIBRARY_PATH": "/opt/lib"}
    missing = variables(str(tmp_path), environ)
    assert missing["AMENT_PREFIX_PATH"] == f"{tmp_path}:/opt/ros"
    assert missing["LD_LIBRARY_PATH"] == f"{tmp_path / 'lib'}:{libraries}:/opt/lib"
    assert variables(str(tmp_path), {**environ, **missing}) == {}


def test_process_is_replaced_once_and_keeps_its_arguments(tmp_path: Path):
    """Started without the variables, Python finds the message libraries and its own arguments."""
    code = (
        "import os, sys; from robodyn_interfaces.msg import BodyState;"
        "from rclpy.serialization import serialize_message as s;"
        "print(sys.argv, len(s(BodyState())), os.environ['AMENT_PREFIX_PATH'])"
    )
    hidden = ("LD_LIBRARY_PATH", "AMENT_PREFIX_PATH", "ROBODYN_VENV", "_ROS_WHEELS")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
    done = subprocess.run(
        [sys.executable, "-c", code, "a b", "c"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['-c', 'a b', 'c'] ")
    assert done.stdout.split()[-1].split(os.pathsep)[0] == sys.prefix


def test_baked_paths_are_mended(bootstrap_module, tmp_path: Path):
    cmake = tmp_path / "share" / "some_msgs" / "cmake" / "some.cmake"
    cmake.parent.mkdir(parents=True)
    cmake.write_text(
        'A "/opt/python/cp312-cp312/include/python3.12;'
        '/opt/python/cp312-cp312/lib/python3.12/site-packages/numpy/_core/include"\n'
        'INTERFACE_LINK_LIBRARIES "fastcdr;foonathan_memory;dl;/usr/lib64/libtinyxml2.so;x"\n'
        "find_package(OpenSSL REQUIRED)\n",
        encoding="utf-8",
    )
    host = bootstrap_module("host").Host(
        "/usr/bin/python3", (3, 12), "/usr/include/python3.12", (), ""
    )
    mend = bootstrap_module("wheels").mend_baked_paths
    assert mend(tmp_path, host) == 1
    site = tmp_path / "lib" / "python3.12" / "site-packages"
    assert cmake.read_text(encoding="utf-8") == (
        f'A "/usr/include/python3.12;{site}/numpy/_core/include"\n'
        'INTERFACE_LINK_LIBRARIES "fastcdr;foonathan_memory;dl"\n'
        "find_package(OpenSSL QUIET)\n"
    )
    assert mend(tmp_path, host) == 0


def test_a_folder_called_as_the_package_does_not_hide_it(tmp_path: Path):
    (tmp_path / "robodyn_ros").mkdir()
    code = "import robodyn_ros; print(robodyn_ros.load.__name__)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("load", "")
