"""The error tree. Each docstring is the default message and tells its reader what to do."""

import re
from collections.abc import Sequence
from inspect import getdoc


class GendeiError(Exception):
    """Something in Gendei failed; the log line above names the place. Please report it."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or getdoc(type(self)) or type(self).__name__)


class ConfigurationError(GendeiError):
    """The configuration cannot be used. Correct the file and field that are named and start again."""

    def __init__(self, source: str, where: str, problem: str, remedy: str) -> None:
        """`source`: file or variable; `where`: "line 12, services[0].price_cents"; the rest are sentences."""
        self.source, self.where, self.problem, self.remedy = source, where, problem, remedy
        place = f"{source}: {where}" if where else source
        super().__init__(f"{place}: {problem} {remedy}".strip())

    @property
    def line(self) -> int:
        """The line of the file that `where` names; 0 where it names none."""
        found = re.match(r"line (\d+)", self.where)
        return int(found[1]) if found else 0

    @property
    def problems(self) -> "tuple[ConfigurationError, ...]":
        """Every problem that this error reports, each as an error of its own."""
        return (self,)


class ConfigurationErrors(ConfigurationError):
    """Several things in the configuration cannot be used. Correct every file and field that is named, one a line."""

    def __init__(self, problems: "Sequence[ConfigurationError]") -> None:
        first = problems[0]
        super().__init__(first.source, first.where, first.problem, first.remedy)
        self._problems = tuple(problems)
        self.args = ("\n".join(str(problem) for problem in problems),)

    @property
    def problems(self) -> tuple[ConfigurationError, ...]:
        return self._problems


class StoreError(GendeiError):
    """The document store failed. Check GENDEI_DATABASE and that the store can be reached."""


class StoreUnavailable(StoreError):
    """The document store cannot be reached or written now. Unless the message says that the outcome of a commit is not
    known, nothing was changed; the caller may read again and try again."""


class NewerStore(StoreError):
    """The store was written by a newer version of Gendei, which this one would damage. Start the newer version again,
    or go back to a backup from before the upgrade (docs/operations.md). Nothing was changed."""

    def __init__(self, found: int, known: int) -> None:
        self.found, self.known = found, known
        told = " ".join((getdoc(type(self)) or "").split())
        super().__init__(f"{told} The store is of version {found}; this Gendei knows those up to {known}.")


class Conflict(StoreError):
    """Another writer was first: a precondition of the commit did not hold. Nothing was changed."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path}: another writer was first; nothing of the commit was applied")


class TooContended(StoreError):
    """A transaction lost to other writers until its time ran out. Nothing was changed; try again."""


class DocumentTooLarge(StoreError):
    """A document would exceed 1 MiB, the most that Firestore takes. Nothing was changed."""


class UnstorableValue(StoreError):
    """A document holds something that no store takes (see gendei.documents). Nothing was changed; fix the caller."""


class UnreadableDocument(GendeiError, ValueError):
    """A stored document is not as this version writes it. See which field is at fault, and restore the document."""

    def __init__(self, kind: str, problems: "Sequence[tuple[str, str]]") -> None:
        """`kind`: the record; `problems`: field and fault of each ("start", "missing"), never a value."""
        self.kind, self.problems = kind, tuple(problems)
        told = ", ".join(f"{field or 'the document'} ({fault})" for field, fault in problems)
        super().__init__(f"a stored {kind} cannot be read: {told}")


class UnguardedRead(StoreError):
    """A transaction read a document that it did not write, so its decision was not protected. Fix the caller."""


class NaiveTime(GendeiError):
    """A datetime without a zone was given. Attach the clinic's zone before it enters the domain."""


class NotFound(GendeiError):
    """There is no such thing for this clinic and this patient."""


class SecretUnreadable(GendeiError):
    """A stored credential cannot be decrypted. Set GENDEI_SECRET_KEY to the key that it was stored with,
    or import the clinic again with `gendei clinics import`."""
