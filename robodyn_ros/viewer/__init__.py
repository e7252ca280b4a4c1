"""The page on which a robot is seen and moved in a browser; knows no ROS."""
