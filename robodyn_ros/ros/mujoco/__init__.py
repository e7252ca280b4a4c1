"""MuJoCo as the hardware: what the node mujoco_simulator has that the simulator has not."""
