"""Packaging for colcon (ament_python) and for pip; package.xml is the source of the metadata."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages, setup
from setuptools.command.install_scripts import install_scripts

NAME = "robodyn_ros"
DATA_DIRECTORIES = ("launch", "config", "rviz", "urdf")

manifest = ElementTree.parse("package.xml").getroot()
maintainer = manifest.find("maintainer")


def data_files() -> list[tuple[str, list[str]]]:
    """Return what goes below share/: the ament marker, the manifest and every data file."""
    found = [
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
    ]
    for top in DATA_DIRECTORIES:
        for directory, subdirectories, names in sorted(os.walk(top)):
            subdirectories[:] = [name for name in subdirectories if name != "__pycache__"]
            files = [f"{directory}/{name}" for name in sorted(names) if not name.endswith(".pyc")]
            if files:
                found.append((f"share/{NAME}/{directory}", files))
    return found


class InstallScripts(install_scripts):
    """Puts the command `robodyn` on PATH where colcon keeps executables in lib/<package>."""

    def run(self) -> None:
        """Install the scripts, and the link."""
        super().run()
        executables = Path(self.install_dir)
        if executables.parts[-2:] == ("lib", NAME):
            command = executables.parents[1] / "bin" / "robodyn"
            command.parent.mkdir(parents=True, exist_ok=True)
            command.unlink(missing_ok=True)
            command.symlink_to(Path("..", "lib", NAME, "robodyn"))
            self.outfiles.append(str(command))


setup(
    name=NAME,
    version=manifest.findtext("version"),
    description=manifest.findtext("description"),
    maintainer=maintainer.text,
    maintainer_email=maintainer.get("email"),
    license=manifest.findtext("license"),
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={NAME: ["py.typed"]},
    data_files=data_files(),
    zip_safe=False,
    cmdclass={"install_scripts": InstallScripts},
    python_requires=">=3.10",
    # rclpy and the message packages come with ROS 2 and are named in package.xml.
    install_requires=[
        "casadi",
        "llvmlite",
        "lxml",
        "numpy",
        "rich",
        "ruamel.yaml",
        "scipy",
        "urdfdom-py",
        "xacro",
    ],
    extras_require={
        # `robodyn replay`: reads and writes bags and Parquet.
        "bags": ["pyarrow", "rosbags"],
        # The node mujoco_simulator.
        "mujoco": ["mujoco"],
        # Pictures and animations; imageio-ffmpeg brings what writes MP4.
        "plots": ["imageio-ffmpeg", "matplotlib"],
        # The page of the viewer, and what reads meshes for it.
        "viewer": ["pycollada", "viser"],
    },
    entry_points={
        "console_scripts": [
            "computed_torque = robodyn_ros.nodes.executables:computed_torque",
            "dynamics_server = robodyn_ros.nodes.executables:dynamics_server",
            "gravity_compensation = robodyn_ros.nodes.executables:gravity_compensation",
            "impedance = robodyn_ros.nodes.executables:impedance",
            "joint_trajectory_demo = robodyn_ros.nodes.executables:joint_trajectory_demo",
            "mujoco_simulator = robodyn_ros.nodes.executables:mujoco_simulator",
            "robodyn = robodyn_ros.cli.main:main",
            "robodyn_node = robodyn_ros.nodes.executables:robodyn_node",
            "simulator = robodyn_ros.nodes.executables:simulator",
            "state_publisher = robodyn_ros.nodes.executables:state_publisher",
            "viewer = robodyn_ros.nodes.executables:viewer",
        ],
    },
)
