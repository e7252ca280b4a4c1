"""The dynamics services: one module each, and `dynamics_services`, which puts them into a node.

Only `dynamics_services` and `body_motion` need rclpy: the others take a request's fields, compute,
and fill a reply's fields, whatever class these are of.
"""
