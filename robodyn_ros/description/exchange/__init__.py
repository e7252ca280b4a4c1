"""Models as other programs have them: spatial_v2 (document C) read and written, URDF written."""

from robodyn_ros.description.exchange.serial import Serial, Step, serial_chain
from robodyn_ros.description.exchange.spatial_v2_reader import read_spatial_v2, spatial_v2_builder
from robodyn_ros.description.exchange.spatial_v2_writer import (
    SpatialV2,
    save_spatial_v2,
    spatial_v2_model,
    write_spatial_v2,
)
from robodyn_ros.description.exchange.urdf_writer import urdf_text

__all__ = [
    "Serial",
    "SpatialV2",
    "Step",
    "read_spatial_v2",
    "save_spatial_v2",
    "serial_chain",
    "spatial_v2_builder",
    "spatial_v2_model",
    "urdf_text",
    "write_spatial_v2",
]
