"""Contacts as addresses of pages and calls name them."""

from gendei.clinic import Contact
from gendei.conversation.stored.contacts import canonical
from gendei.errors import NotFound
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor

LONGEST = 200


def key_of(actor: Actor, contact: str) -> ConversationKey:
    """The conversation of the actor's clinic that `contact` names, by any address of the patient. Raises NotFound for
    what no contact can be."""
    if not contact or len(contact) > LONGEST or not contact.isprintable():
        raise NotFound
    return ConversationKey(actor.clinic_id, Contact(canonical(contact)))
