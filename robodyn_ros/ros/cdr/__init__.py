"""Messages as the bytes that DDS carries: read and filled without building Python objects.

The slow path, `rclpy.serialization`, is the reference that the tests compare with, and what takes
over for bytes that are laid out in another way.
"""
