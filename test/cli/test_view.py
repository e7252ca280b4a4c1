"""`robodyn view`: what it prints, its exit codes, and that it needs no ROS."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from node_process import wait_for_handlers
from page_client import PageClient
from robodyn_ros.cli.main import main

FOUR_BAR = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
#: ROS cannot be imported here.
WITHOUT_ROS = """
import sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"rclpy", "std_msgs", "sensor_msgs", "robodyn_interfaces"}:
            raise ImportError(f"{name}: there is no ROS here")

sys.meta_path.insert(0, NoRos())
from robodyn_ros.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_it_says_where_the_page_is_and_ends_in_time(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(FOUR_BAR), "--port", "0", "--seconds", "0"]) == 0
    out, err = capfd.readouterr()
    assert re.fullmatch(r"four_bar: http://127\.0\.0\.1:\d+ \(Ctrl-C ends it\)\n", out)
    assert err == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_runs_without_ros_until_it_is_interrupted(number: int) -> None:
    command = [sys.executable, "-c", WITHOUT_ROS, "view", str(FOUR_BAR), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address is not None, line
        assert urlopen(address.group()).status == 200
        with PageClient(address.group()) as client:
            slider = client.get("motor [rad]")
            assert slider.value == pytest.approx(2.0, abs=0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out.strip(), err) == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.2, 0.5, 1.0])
def test_interrupted_at_any_moment_of_its_start_it_ends_with_0(number: int, delay: float) -> None:
    command = [sys.executable, "-m", "robodyn_ros.cli.main", "view", "panda", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for_handlers(process.pid)
        time.sleep(delay)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")


def test_options_say_how_the_robot_is_read(capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--port", "0", "--seconds", "0", "--base", "floating", "--q", "elbow_joint=1"]
    assert main(["view", "ur5", *options, "--root", "forearm_link"]) == 0
    assert (
        main(["view", str(FOUR_BAR), "--port", "0", "--seconds", "0", "--set", "crank=0.11"]) == 0
    )
    assert capfd.readouterr().err == ""


def test_a_page_for_the_network_warns(capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--host", "0.0.0.0", "--port", "0", "--seconds", "0"]
    assert main(["view", str(FOUR_BAR), *options]) == 0
    assert "warning: " in (err := capfd.readouterr().err)
    assert "anyone on the network" in err


def test_a_mesh_that_cannot_be_read_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(
        '<robot name="arm"><link name="a"><visual><geometry><mesh filename="no.stl"/></geometry>'
        '</visual><visual><geometry><sphere radius="x"/></geometry></visual></link></robot>'
    )
    assert main(["view", str(file), "--port", "0", "--seconds", "0"]) == 0
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 2
    assert any("no.stl" in line for line in lines)
    assert any("radius of <sphere>" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["no_such_robot"], 2, "no_such_robot"),
        ([str(FOUR_BAR), "--port", "-1"], 2, "port must be"),
        ([str(FOUR_BAR), "--seconds", "-1"], 2, "--seconds must be"),
        ([str(FOUR_BAR), "--seconds", "nan"], 2, "--seconds must be"),
        ([str(FOUR_BAR), "--origin", "robots"], 2, "must be http://HOST"),
        ([str(FOUR_BAR), "--host", "no.host.invalid"], 1, "cannot be found"),
        ([str(FOUR_BAR), "--set", "crnk=1"], 2, "crnk"),
        ([str(FOUR_BAR), "--q", "motr=1"], 2, "motr"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    arguments: list[str], code: int, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if "--port" not in arguments:
        arguments = [*arguments, "--port", "0"]
    assert main(["view", *arguments]) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert text in err
    assert len(err.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert main(["view", str(FOUR_BAR), "--port", port, "--seconds", "0"]) == 1
    assert f"port {port} of 127.0.0.1 is taken" in capfd.readouterr().err


def test_without_viser_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    assert main(["view", str(FOUR_BAR), "--port", "0", "--seconds", "0"]) == 1
    err = capfd.readouterr().err
    assert 'pip install "robodyn_ros[viewer]"' in err
    assert len(err.splitlines()) == 1
