"""What patients asked is kept in their words: it goes with who asked it."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from gendei.clinic import ClinicId
from gendei.documents import Documents, Query, Transaction, transact
from gendei.knowledge.entry import ENTRY, GAP, entries_path, gaps_path

_WORD = re.compile(r"\w+")


async def forget_questions(documents: Documents, clinic_id: ClinicId, messages: Iterable[str]) -> None:
    """Of the clinic's gaps and of its entries' cases, remove each question whose words all stand in `messages`, which
    are a patient's. A question of somebody else's may go too: its gap still counts it."""
    said = {word for message in messages for word in _words(message)}
    if not said:
        return
    for found in await documents.query(Query(gaps_path(clinic_id))):
        gap = GAP.read(found.data, id=found.id)
        if any(_words(question) <= said for question in gap.questions):
            await transact(documents, partial(_forget_gap, path=found.path, said=said))
    for found in await documents.query(Query(entries_path(clinic_id))):
        entry = ENTRY.read(found.data, id=found.id)
        if any(_words(case) <= said for case in entry.cases):
            await transact(documents, partial(_forget_cases, path=found.path, said=said))


async def _forget_gap(transaction: Transaction, *, path: str, said: set[str]) -> None:
    found = await transaction.get(path)
    gap = GAP.found(found, id=found.id)
    if gap is None:
        return
    left = tuple(question for question in gap.questions if not _words(question) <= said)
    if left:
        transaction.put(path, GAP.write(replace(gap, questions=left)))
    else:
        transaction.delete(path)


async def _forget_cases(transaction: Transaction, *, path: str, said: set[str]) -> None:
    found = await transaction.get(path)
    entry = ENTRY.found(found, id=found.id)
    if entry is not None:
        left = tuple(case for case in entry.cases if not _words(case) <= said)
        transaction.put(path, ENTRY.write(replace(entry, cases=left)))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
