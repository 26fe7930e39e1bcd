"""Paths of documents."""

Key = tuple[str, str]
"""The collection's path and the id of a document."""


def locate(path: str) -> Key:
    """The collection and the id of a document's path. Raises ValueError where it is no such path."""
    collection, _, name = path.rpartition("/")
    if not collection or path.count("/") % 2 == 0 or "//" in path or not name or path[0] == "/":
        raise ValueError(f"not a document path: {path!r}")
    path.encode()  # a lone surrogate is a ValueError too
    return collection, name
