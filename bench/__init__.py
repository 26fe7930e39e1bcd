"""What `make bench` measures: how fast webhooks are accepted, turns are taken and slots are found.

Everything is measured against something in the same run on the same machine, or is a time with its method beside it.
A benchmark measures and reports; it never fails because a figure is short of its goal.
"""
