"""Documents that an earlier version wrote: of each kind of path, with each field that may be there and may not.

They were collected by `tests.golden.collect` before there was one codec, and are never changed: stored data stays as it
is. A new kind of path adds documents.
"""
