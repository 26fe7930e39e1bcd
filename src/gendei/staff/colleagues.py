"""Who else works at the clinic, as far as everybody there may know."""

from dataclasses import dataclass

from gendei.documents import Documents, Query
from gendei.errors import NotFound
from gendei.staff.access.users import USER, USERS
from gendei.staff.actors import Actor, Right


@dataclass(frozen=True, slots=True)
class Colleague:
    id: str
    name: str


class Colleagues:
    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def list(self, actor: Actor) -> list[Colleague]:
        """The users of the actor's clinic who can sign in, by name. Raises Forbidden."""
        actor.require(Right.READ)
        found = await self._documents.query(Query(USERS, where=(("clinicId", "==", actor.clinic_id),)))
        users = [user for snapshot in found if (user := USER.found(snapshot)) and not user.disabled]
        return sorted(
            (Colleague(user.id, user.name) for user in users),
            key=lambda colleague: (colleague.name.casefold(), colleague.id),
        )

    async def find(self, actor: Actor, user_id: str) -> Colleague:
        """Raises NotFound for who does not work at the actor's clinic, and Forbidden."""
        found = next((colleague for colleague in await self.list(actor) if colleague.id == user_id), None)
        if found is None:
            raise NotFound
        return found
