"""Of what a price is asked, where the clinic offers nothing that is called so ("quanto custa lente de contato?")."""

from collections.abc import Sequence
from itertools import chain

from gendei.clinic import Clinic
from gendei.kinship import CHILDREN, KIN
from gendei.receptionist.understanding.language import Vocabulary, words_known
from gendei.receptionist.understanding.service_names import EMPTY, TITLES, names_of
from gendei.receptionist.understanding.word_lists import LISTS
from gendei.verticals import Vertical

STEM = 5
"""Letters by which a thing is told in another form: "ginecologista", "Ginecologia"."""
LEAST = 4
"""Letters of a word that can name a service."""
_ASKS, _LINKS, _SAYS_LITTLE = LISTS["asks_a_price"], LISTS["links_a_price"], LISTS["says_little_of_a_price"]


def priced_elsewhere(about: Sequence[str], clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical) -> str | None:
    """The first word of what the price is asked of, where nothing and nobody at the clinic is called like it; None
    where nothing is named. about: the words without days and hours."""
    thing = _thing(about, vocabulary)
    if thing is None:
        return None
    people = chain.from_iterable((who.name, *who.aliases, who.specialty) for who in clinic.professionals)
    services = chain.from_iterable((*names_of(each, vertical), each.description) for each in clinic.services)
    nouns = vertical.appointment, vertical.professional
    others = (clinic.name, vertical.name, *(word for noun in nouns for word in (noun.singular, noun.plural)))
    known = {word[:STEM] for name in (*people, *services, *others) if name for word in words_known(name)}
    return None if thing[:STEM] in known else thing


def _thing(about: Sequence[str], vocabulary: Vocabulary) -> str | None:
    """The first word that names something, after the words that ask for a price; None where something else follows."""
    asked = max((at for at, word in enumerate(about) if word in _ASKS), default=None)
    if asked is None:
        return None
    specialists = vocabulary.single_words("specialist")
    for word in about[asked + 1 :]:
        if word in specialists:
            return word
        if word in EMPTY or word in TITLES or word in _LINKS or vocabulary.is_only("no_service", [word]):
            continue
        if word in _SAYS_LITTLE or word in KIN or word in CHILDREN or vocabulary.means_something(word):
            return None
        return word if len(word) >= LEAST and word.isalpha() else None
    return None
