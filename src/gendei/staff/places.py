"""Places in lists that go back in time by `updatedAt`, as cursors: worth nothing in another clinic, since who goes on
from one names the collection."""

from datetime import datetime

from gendei.documents import Snapshot


def cursor_behind(last: Snapshot) -> str:
    """What goes on behind `last`."""
    moment: datetime = (last.data or {})["updatedAt"]
    return f"{moment.isoformat()} {last.id}"


def place_in(collection: str, cursor: str) -> Snapshot:
    """The document that `cursor` goes on behind, as far as Query.after looks at it. Raises ValueError for what is no
    cursor."""
    moment, _, name = cursor.partition(" ")
    at = datetime.fromisoformat(moment)
    if not name or "/" in name or at.tzinfo is None:
        raise ValueError("a cursor is what a page gave")
    return Snapshot(f"{collection}/{name}", {"updatedAt": at})
