"""state_publisher under a steady stream of joint states: losses, latency and CPU, beside the floor.

Three processes on this machine: a source, the node, and the one that measures, which receives what
the node publishes. Latency is from the stamp, taken just before a state is published, to the
arrival of its transforms in the receiver's DDS layer (`received_timestamp`), so that it does not
matter how fast the receiver's own Python is. CPU is that of the node's process, all of its threads.
"""
