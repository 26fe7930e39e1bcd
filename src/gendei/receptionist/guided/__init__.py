"""The receptionist that needs no API: a policy of its own behind the SDK's model interface.

`model` is what the SDK sees, `dialogue` where a turn begins.
"""
