"""The JSON API under /api/v1: what the pages do, for programs, by the same functions of `staff`."""
