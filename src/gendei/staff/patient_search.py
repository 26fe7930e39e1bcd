"""Looking patients up: by name, former name, number in any writing, health plan, CPF, notes, and by whom they share a
contact with."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz import fuzz

from gendei.booking.patients import PATIENT, clean_phone, patients_of
from gendei.booking.slots import BookingRefused
from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.contacts import canonical
from gendei.documents import Documents, Query, Snapshot
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.inbox import LIVE_CONVERSATIONS, newest
from gendei.staff.inbox.rows import cursor_behind, fold, place_in
from gendei.staff.patient_rows import MOST_OF_CONTACT, Card, PatientRow, cards_of, of_contact

MOST_SEARCHED = 2000
"""Patients that a search by name or a part of a number looks through, those changed last first. A whole number is
found among all."""
FOUND = 50
MOST_WRITERS = 5
"""Contacts of a fitting name, beside those of patients that were looked through anyway."""
_ALIKE = 85
"""Of 100: how near a misspelt name must come."""
_FEWEST_DIGITS = 3
_WHOLE_NUMBER, _IN_NUMBER, _BEGINS, _NAMED, _MOST_ALIKE = 100, 99, 98, 95, 90
_BY_PLAN, _NOTED, _RELATED, _WRITES = 70, 60, 50, 40


@dataclass(frozen=True, slots=True)
class PatientPage:
    """`cursor` gives the next page; None: there is none."""

    rows: tuple[PatientRow, ...]
    cursor: str | None


@dataclass(frozen=True)
class _Wanted:
    """What was typed: words, and digits as telephone numbers are written with them. personal: who asks may see CPF."""

    text: str
    personal: bool

    @cached_property
    def words(self) -> list[str]:
        """Folded; digits are no words where they are enough for a number."""
        return [word for word in fold(self.text).split() if not self._is_number or _has_letters(word)]

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The digits as they may stand in a stored number: without 0, carrier and country, and with the ninth digit."""
        if not self._is_number:
            return frozenset()
        bare = self._digits.lstrip("0")
        short = bare.removeprefix("55").lstrip("0") if len(bare) > 11 else bare
        forms = {self._digits, bare, short, short[-11:]} - {""}
        return frozenset(forms | {f"{form[:2]}9{form[2:]}" for form in forms if len(form) == 10 and form[2] in "6789"})

    @cached_property
    def _digits(self) -> str:
        return _digits(word for word in self.text.split() if not _has_letters(word))

    @cached_property
    def _is_number(self) -> bool:
        return len(self._digits) >= _FEWEST_DIGITS

    def score(self, card: Card) -> float:
        """How well a patient fits, of 100; 0 for not."""
        stored = card.stored
        if self._is_cpf_of(card):
            return _WHOLE_NUMBER
        if self.numbers and not self._in_numbers(card):
            return 0
        if self.numbers and not self.words:
            return _IN_NUMBER
        if fold(self.text.strip()) in {contact.lower() for contact in stored.all_contacts}:
            return _IN_NUMBER
        best = max(self._score_name(fold(name)) for name in (stored.name, *stored.names))
        if not best and stored.plan and self.named_in(stored.plan):
            return _BY_PLAN
        if not best and stored.notes and self.named_in(stored.notes):
            return _NOTED
        return best

    def _is_cpf_of(self, card: Card) -> bool:
        known = card.stored.personal_data
        return self.personal and known is not None and known.cpf is not None and known.cpf == self._digits

    def named_in(self, text: str) -> bool:
        folded = fold(text)
        return bool(self.words) and all(word in folded for word in self.words)

    def _in_numbers(self, card: Card) -> bool:
        stored = card.stored
        known = [_digits(number) for number in (stored.phone or "", *stored.phones, *stored.all_contacts)]
        return any(form in number for form in self.numbers for number in known)

    def _score_name(self, name: str) -> float:
        if self.words and all(word in name for word in self.words):
            return _BEGINS if name.startswith(self.words[0]) else _NAMED
        spoken = " ".join(self.words)
        alike = fuzz.token_set_ratio(spoken, name, score_cutoff=_ALIKE) if len(spoken) > 3 else 0
        return min(alike, _MOST_ALIKE)


class PatientSearch:
    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def page(
        self, actor: Actor, text: str = "", *, cursor: str | None = None, limit: int = FOUND, related: bool = False
    ) -> PatientPage:
        """Patients by name (without regard to accents, capitals and a slip), phone in any writing, health plan, whole
        CPF (for who may see it), or notes, the best first; without a text, all there are, those changed last first:
        who changes between two pages is at the head again. related: behind them, who shares the contact with one of
        these, and for whom somebody of that name writes. Raises Forbidden, and ValueError for a cursor that is none
        of ours."""
        actor.require(Right.READ)
        limit = max(1, min(limit, FOUND))
        newest_first = Query(patients_of(actor.clinic_id), order_by=(("updatedAt", True),), limit=MOST_SEARCHED)
        if not text.strip():
            return await self._everybody(replace(newest_first, limit=limit + 1), cursor, limit)
        first = 0 if cursor is None else int(cursor)
        wanted = _Wanted(text, actor.may(Right.PERSONAL_DATA))
        ranked = (await self._ranked(actor, wanted, newest_first, related=related))[max(0, first) :]
        return PatientPage(tuple(ranked[:limit]), str(first + limit) if len(ranked) > limit else None)

    async def _everybody(self, query: Query, cursor: str | None, limit: int) -> PatientPage:
        """Records that were merged into others are passed over."""
        if cursor is not None:
            query = query.after(place_in(query.collection, cursor))
        rows: list[PatientRow] = []
        while found := await self._documents.query(query):
            for position, snapshot in enumerate(found):
                rows += [card.row for card in _cards([snapshot])]
                if len(rows) == limit:
                    more = position + 1 < len(found) or len(found) > limit
                    return PatientPage(tuple(rows), cursor_behind(snapshot) if more else None)
            if len(found) <= limit:
                break
            query = query.after(found[-1])
        return PatientPage(tuple(rows), None)

    async def _ranked(self, actor: Actor, wanted: _Wanted, newest_first: Query, *, related: bool) -> list[PatientRow]:
        """Everybody that `wanted` may mean, the best first."""
        exact, scanned = await asyncio.gather(
            self._by_number(actor.clinic_id, wanted), self._documents.query(newest_first)
        )
        known = {card.id: card for card in (*_cards(scanned), *exact)}
        ranked = {card.id: (float(_WHOLE_NUMBER), card.row) for card in exact}
        for card in known.values():
            if card.id not in ranked and (score := wanted.score(card)):
                ranked[card.id] = (score, card.row)
        if related:
            writers = await self._writers(actor.clinic_id, wanted, known)
            for score, row in (*_sharing(known, ranked), *writers):
                ranked.setdefault(row.id, (score, row))
        best = sorted(ranked.values(), key=lambda found: (-found[0], fold(found[1].name), found[1].id))
        return [row for _, row in best]

    async def _by_number(self, clinic_id: ClinicId, wanted: _Wanted) -> list[Card]:
        """Whose whole number was typed, however long ago they came."""
        if wanted.words or not any(len(number) >= 8 for number in wanted.numbers):
            return []
        try:
            number = clean_phone(wanted.text)
        except BookingRefused:
            return []
        queries = (
            Query(patients_of(clinic_id), where=((name, "==", form),), limit=MOST_OF_CONTACT)
            for name in ("contact", "phone")
            for form in {number, canonical(number)}
        )
        found = await asyncio.gather(*(self._documents.query(query) for query in queries))
        return await cards_of(self._documents, clinic_id, [snapshot for page in found for snapshot in page])

    async def _writers(
        self, clinic_id: ClinicId, wanted: _Wanted, known: dict[str, Card]
    ) -> list[tuple[float, PatientRow]]:
        """For whom those write whose own name, as WhatsApp tells it, fits; of the conversations used last."""
        if not wanted.words or wanted.numbers:
            return []
        used = await self._documents.query(newest(clinic_id, LIVE_CONVERSATIONS))
        names = {
            Contact(str(data["userPhone"])): str(data["userName"])
            for data in (snapshot.data or {} for snapshot in used)
            if data.get("userName") and wanted.named_in(str(data["userName"]))
        }
        there = {contact for card in known.values() for contact in card.stored.all_contacts}
        further = [contact for contact in names if contact not in there][:MOST_WRITERS]
        read = await asyncio.gather(*(of_contact(self._documents, clinic_id, contact) for contact in further))
        everybody = known | {card.id: card for cards in read for card in cards}
        return [
            (_WRITES, replace(card.row, via=names[contact]))
            for card in everybody.values()
            for contact in card.stored.all_contacts
            if contact in names
        ]


def _sharing(known: dict[str, Card], ranked: dict[str, tuple[float, PatientRow]]) -> list[tuple[float, PatientRow]]:
    """Who shares a contact with somebody that was found."""
    whose: dict[Contact, str] = {}
    for patient_id in ranked:
        for contact in known[patient_id].stored.all_contacts:
            whose.setdefault(contact, known[patient_id].stored.name)
    return [
        (_RELATED, replace(card.row, via=whose[contact]))
        for card in known.values()
        for contact in card.stored.all_contacts
        if contact in whose
    ]


def _cards(found: Sequence[Snapshot]) -> list[Card]:
    """The cards among these records."""
    records = (Card(snapshot.id, PATIENT.read(snapshot.data)) for snapshot in found)
    return [card for card in records if card.stored.merged_into is None]


def _has_letters(word: str) -> bool:
    return any(char.isalpha() for char in word)


def _digits(words: Iterable[str]) -> str:
    return "".join(char for word in words for char in word if char.isdecimal())
