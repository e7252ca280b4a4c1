"""The ROS side of the page: what robots publish goes to it, what people ask for goes to them."""
