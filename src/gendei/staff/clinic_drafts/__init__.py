"""A clinic before it is one: a draft that is filled in step by step, and the invitation to make one."""
