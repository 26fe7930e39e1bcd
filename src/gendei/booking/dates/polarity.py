"""Tells what the patient rules out ("menos sexta", "quinta não posso") from what the patient asks for."""

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.words import LISTS, words
from gendei.kinship import KIN

_FILLERS = words("na no nas nos de do da em a o as os para ser dia e essa esse nessa nesse desse dessa")
_REFUSING = words("posso consigo quero vou dou poder poderei conseguir aguento gosto gostaria")
_CANNOT = words("da rola pode consigo serve vai e tenho estou to funciona")
_ASKABLE = words("pode da dar daria poderia rola")
_LINKS = words("me ir como mais eu seja muito pra mim nunca") | _FILLERS
_NOT_REFUSED = LISTS["not_refused"]
_HARD = LISTS["hard_times"]
_REACH = 5
_WORKS = words("trabalho estudo viajo trabalha estuda viaja")
_DOES = words("tenho tem dou da faco faz")
_AM = words("estou to ta esta estarei vou fico fica")
_BOOKED = LISTS["booked"]
_ACTIVITIES = LISTS["activities"] | LISTS["festivities"]
_SUBJECTS = words("eu ela ele que") | KIN
_ALL_DAY = words("todo toda todos todas inteiro inteira sempre ja la so")


def is_excluded(cursor: Cursor, start: int, end: int) -> bool:
    """Whether the expression at tokens [start, end) is one that the patient does not want."""
    return is_excluded_list(cursor, start) or _refused_before(cursor, start) or _refused_behind(cursor, end)


def is_refused(cursor: Cursor, start: int) -> bool:
    """Whether the words before it say that nobody can come then; what is listed behind it with an "e" is meant too."""
    return _refused_before(cursor, start) or _occupied_before(cursor, start)


def _occupied_before(cursor: Cursor, start: int) -> bool:
    """ "Trabalho na terça", "ela tem aula de manhã", "meu pai faz hemodiálise segunda": when somebody is busy."""
    at = start - 1
    while start - at <= _REACH and (cursor.word(at) in _FILLERS | _ALL_DAY):
        at -= 1
    return not cursor.asks(start) and ends_occupied(cursor, at)


def ends_occupied(cursor: Cursor, at: int) -> bool:
    """Whether the words up to this position tell what somebody does at that time."""
    if cursor.word(at) in _ACTIVITIES:
        verb = at - 2 if cursor.word(at - 1) in {"um", "uma"} else at - 1
        if cursor.word(verb) in _DOES:
            return True
    on_duty = cursor.word(at) in _ACTIVITIES and cursor.word(at - 1) == "de" and cursor.word(at - 2) in _AM
    if on_duty or (cursor.word(at) in _HARD and cursor.word(at - 1) in _AM):
        return True
    noun = cursor.word(at - 1) in (_FILLERS | {"meu", "ao", "pro", "so"}) - {"e"}
    return cursor.word(at) in _WORKS and not noun and (cursor.word(at)[-1] == "o" or cursor.word(at - 1) in _SUBJECTS)


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
    at = cursor.skip(
        end, {"eu", "para", "ai", "tambem", "tb", "tbm"}, {"mim", "eu"}, {"ja", "acho", "infelizmente"}, {"que"}
    )
    if _occupied_behind(cursor, end):
        return True
    if cursor.word(at) == "nao":
        following = cursor.word(at + 1)
        if following in _REFUSING | _CANNOT:
            return not (following in ("da", "pode", "rola") and cursor.asks(at))
        if following == "?":
            return False
        return (cursor.ends(at + 1) or cursor.word(at + 1) in ("mas", "so")) and following not in _NOT_REFUSED
    if cursor.word(at) == "," and cursor.after(at + 1, "nao", _REFUSING) is not None:
        return True
    at = cursor.skip(at, {"e", "ta", "esta", "to", "fica", "vai", "estou"}, {"muito", "ser", "meio", "bem"})
    return cursor.word(at) in _HARD


def _occupied_behind(cursor: Cursor, end: int) -> bool:
    """ "De tarde eu trabalho", "terça ela tem aula", "quarta eu tenho rodízio", "essa semana tô sem tempo"."""
    at = end
    while at - end < _REACH and cursor.word(at) in _SUBJECTS | {"minha", "meu", "a", "o"}:
        at += 1
    if cursor.asks(end):
        return False
    if cursor.word(at) in {"tenho", "terei"}:
        return cursor.kind(at + 1) is TokenKind.WORD and cursor.word(cursor.skip(at + 1, {"um", "uma"})) not in _BOOKED
    if cursor.word(at) in _DOES | {"e"} and cursor.word(at + 1) in _ACTIVITIES:
        return True
    if (
        cursor.word(at) in _AM
        and cursor.word(at + 1) == "sem"
        and cursor.word(at + 2) in ("tempo", "chance", "condicoes")
    ):
        return True
    mine = at > end or cursor.word(at).endswith("o")
    return mine and cursor.word(at) in _WORKS and (cursor.ends(at + 1) or cursor.word(at + 1) in ("e", "mas"))
