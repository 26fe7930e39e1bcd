"""The front desk of a `World`, and who works there: Bia and Caio at Boa Vida, Olga at the other clinic."""

from tests.conversation.cast import BOA_VIDA, SORRISO, World

from gendei.conversation.outbound.failures import FailureTexts
from gendei.costs.message_prices import MessagePrices
from gendei.datafile import data_dir
from gendei.documents import Write, put
from gendei.prompts import load_phrases
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import RIGHTS, Actor, Right, Role
from gendei.staff.desks import FrontDesk, open_front_desk
from gendei.staff.inbox.texts import InboxTexts
from gendei.verticals import TERM_FORMS

TEXTS = InboxTexts.load(data_dir("prompts"))
PRICES = MessagePrices.load(data_dir("prompts"))
PHRASES = load_phrases(data_dir("prompts"), TERM_FORMS)
explain = FailureTexts.load(data_dir("prompts")).explain

BIA = Actor(BOA_VIDA, "bia@boavida.com.br", "Bia", RIGHTS[Role.ATENDENTE])
CAIO = Actor(BOA_VIDA, "caio@boavida.com.br", "Caio", RIGHTS[Role.GESTOR])
OLGA = Actor(SORRISO, "olga@sorriso.com.br", "Olga", RIGHTS[Role.GESTOR])
READER = Actor(BOA_VIDA, "painel", "Painel", frozenset({Right.READ}))
NOBODY = Actor(BOA_VIDA, "nada", "Nada", frozenset())


def front_desk(world: World) -> FrontDesk:
    return open_front_desk(
        world.documents, world.directory, world.messaging, world.clock, TEXTS, explain, PHRASES, PRICES
    )


async def employ(world: World, *actors: Actor) -> None:
    """Give them users, so that they can be found by colleagues."""
    for owned in actors:
        user = User(owned.user_id, owned.name, Role.ATENDENTE, owned.clinic_id, world.clock(), "-")
        await world.documents.commit([_put(user)])


def _put(user: User) -> Write:
    return put(user_path(user.id), USER.write(user))


async def actions_in_audit(world: World, actor: Actor) -> list[tuple[str, str, str]]:
    """(who, action, subject) of the actor's clinic, by who."""
    rows = await world.all(f"gendei_clinics/{actor.clinic_id}/audit", "at")
    return sorted((row["name"], row["action"], row["subject"]) for row in rows)
