"""Recorded joint states in, dynamics of every moment out; knows no ROS."""
