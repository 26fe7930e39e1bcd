"""A store whose process dies at a commit."""

from dataclasses import dataclass

from gendei.store.sqlite import SqliteDocuments


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Mortal:
    """`dies`: "before" its next commit, "after" it, or "" not at all."""

    inner: SqliteDocuments
    dies: str = ""

    async def commit(self, writes):
        how, self.dies = self.dies, ""
        if how == "before":
            raise Killed
        await self.inner.commit(writes)
        if how == "after":
            raise Killed

    def __getattr__(self, name):
        return getattr(self.inner, name)
