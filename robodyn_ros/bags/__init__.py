"""Recorded bags through kinematics and dynamics, without ROS: `replay`, and what is written of it.

Joint states of rosbag2 bags are read in batches, made to states of a robot without the delay that
live filters have, and evaluated by batch kernels; memory stays bounded whatever a bag's length.
"""

from robodyn_ros.bags.bag_file import BagFile
from robodyn_ros.bags.description import recorded_description, recorded_descriptions
from robodyn_ros.bags.evaluation import TERMS, Block
from robodyn_ros.bags.replay import Choices, Replay, replay
from robodyn_ros.bags.reported_efforts import EffortReports
from robodyn_ros.bags.series import Conditioning
from robodyn_ros.bags.summary import lines_of
from robodyn_ros.bags.writing import FORMATS, write_replay

__all__ = [
    "FORMATS",
    "TERMS",
    "BagFile",
    "Block",
    "Choices",
    "Conditioning",
    "EffortReports",
    "Replay",
    "lines_of",
    "recorded_description",
    "recorded_descriptions",
    "replay",
    "write_replay",
]
