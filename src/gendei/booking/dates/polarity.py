"""Tells what the patient rules out ("menos sexta", "quinta não posso") from what the patient asks for."""

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.words import words

_FILLERS = words("na no nas nos de do da em a o as os para ser dia e essa esse nessa nesse desse dessa")
_REFUSING = words("posso consigo quero vou dou poder poderei conseguir aguento gosto gostaria")
_ASKABLE = words("pode da dar daria poderia rola")
_LINKS = words("me ir como mais eu seja muito pra mim nunca") | _FILLERS
_NOT_REFUSED = words(
    """
    tem teria tinha sei seria abre abrem atende atendem atendendo trabalham tem-se funciona ha
    """
)
_HARD = words("ruim complicado dificil impossivel ocupado ocupada lotado viajando")
_REACH = 5


def is_excluded(cursor: Cursor, start: int, end: int) -> bool:
    """Whether the expression at tokens [start, end) is one that the patient does not want."""
    return is_excluded_list(cursor, start) or _refused_before(cursor, start) or _refused_behind(cursor, end)


def is_excluded_list(cursor: Cursor, start: int) -> bool:
    """Whether "menos", "sem ser" or "em vez de" stands before it, which rule out all that they list."""
    at = start - 1
    while cursor.word(at) in _FILLERS and start - at <= _REACH and cursor.word(at) != "ser":
        at -= 1
    if cursor.word(at) == "ser":
        return cursor.word(at - 1) == "sem" or (cursor.word(at - 1) == "nao" and cursor.word(at - 2) == "a")
    if cursor.word(at) == "menos":
        return cursor.word(at - 1) not in ("ou", "pelo", "ao")
    if cursor.word(at) == "vez":
        return cursor.word(at - 1) in ("em", "inves", "ao")
    return cursor.word(at) in ("nem", "inves", "nunca") or (cursor.word(at) == "lugar" and cursor.word(at - 1) == "no")


def follows_nem(cursor: Cursor, start: int) -> bool:
    """Whether the expression there is ruled out by "nem", which is said again before each day that it holds for."""
    at = start - 1
    while cursor.word(at) in _FILLERS and start - at <= _REACH:
        at -= 1
    return cursor.word(at) == "nem"


def _refused_before(cursor: Cursor, start: int) -> bool:
    """ "não posso na sexta", "não quero quinta", "não sexta"; "não tem sexta?" asks for it."""
    between: list[str] = []
    at = start - 1
    while at >= 0 and len(between) <= _REACH:
        word = cursor.word(at)
        if word == "nao":
            break
        if word not in _LINKS | _REFUSING | _ASKABLE:
            return False
        between.append(word)
        at -= 1
    else:
        return False
    if cursor.word(at) != "nao":
        return False
    if any(word in _REFUSING for word in between):
        return True
    return not cursor.asks(start)


def _refused_behind(cursor: Cursor, end: int) -> bool:
    """ "sexta não posso", "sexta não, sábado", "quinta é ruim"; "quinta, não, sexta" is a correction."""
    at = cursor.skip(end, {"eu", "para", "ai"}, {"mim", "eu"}, {"ja", "acho", "infelizmente"}, {"que"})
    if cursor.word(at) == "nao":
        following = cursor.word(at + 1)
        if following in _REFUSING | {
            "da",
            "rola",
            "pode",
            "consigo",
            "serve",
            "vai",
            "e",
            "tenho",
            "estou",
            "to",
            "funciona",
        }:
            return not (following in ("da", "pode", "rola") and cursor.asks(at))
        if following == "?":
            return False
        return (cursor.ends(at + 1) or cursor.word(at + 1) in ("mas", "so")) and following not in _NOT_REFUSED
    if cursor.word(at) == "," and cursor.after(at + 1, "nao", _REFUSING) is not None:
        return True
    at = cursor.skip(at, {"e", "ta", "esta", "to", "fica", "vai", "estou"}, {"muito", "ser", "meio", "bem"})
    return cursor.word(at) in _HARD
