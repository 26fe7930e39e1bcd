"""Whatever tells who a patient is, replaced: names, phones, documents, addresses, mail and dates.

What stays is what is known to be harmless: words that many patients write and that are nobody's name, the clinic's own
words, times and money. Everything else, and whatever is known of this patient, gets a stand-in, the same each time."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from gendei.cases.moved_dates import LONG_AGO, moved
from gendei.cases.vocabulary import WORD, common, folded
from gendei.kinship import RELATIVE

NAMES = ("Rosa", "Prado", "Lia", "Moura", "Nina", "Sales", "Bento", "Vidal", "Tito", "Amado")
PHONE, CPF, MAIL = "(11) 90000-0000", "529.982.247-25", "contato@exemplo.com.br"
SITE, STREET, HANDLE, NUMBER = "https://exemplo.com.br", "Rua do Exemplo", "@exemplo", "1111"
"""They look like what they stand for, so that they are heard the same."""
PARTICLES = frozenset({"da", "de", "do", "das", "dos", "e"})
_MAIL = re.compile(
    r"\S+@\S+\.\S+|\S+\s*(?:\(at\)|\[at\]|\barroba\b)\s*\S+(?:\s*(?:\.|\bponto\b)\s*\w+)*", re.IGNORECASE
)
_SITE = re.compile(
    r"\b(?:https?://|www\.)\S+|(?<![@\w.])[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|br|me|io|app|link|site)\b\S*", re.I
)
_HANDLE = re.compile(r"(?<!\w)@[\w.]+")
_REST = r"(?:(?!\s+(?:e|mas|quero|queria|gostaria|preciso|posso|voc[eê]s|vcs)\b)[^,.;!?\n])*"
_STREET = re.compile(
    r"\b(?:rua|r\.|avenida|av\.?|travessa|tv\.?|alameda|al\.|pra[cç]a|rodovia|estrada|beco|vila|conjunto|condom[ií]nio"
    r"|bairro|quadra|lote|bloco|edif[ií]cio|apartamento|apto?\.?|moro (?:na|no|em)|cep)\s+"
    rf"{_REST}(?:,\s*(?:n[ºo°.]*\s*)?\d+{_REST})?",
    re.IGNORECASE,
)
_KEPT_NUMBER = re.compile(
    r"(?:R\$\s?\d{1,3}(?:\.\d{3})*(?:,\d{2})?\b|R\$\s?\d+(?:,\d{2})?\b|(?<![\d.,\-])\d{1,6}(?:[.,]\d{1,3})?\s?(?:reais|conto)\b"
    r"|\b(?:[01]?\d|2[0-4])(?:h|:)[0-5]\d\b|\b(?:[01]?\d|2[0-4])\s?h(?:s|oras)?\b|\b\d{1,2}/\d{1,2}\b(?!/)|\b\d{1,2}\s?(?:x|min)\b)",
    re.IGNORECASE,
)
"""Money, times, instalments, and the days that were moved already."""
_DIGITS = re.compile(r"\+?\(?\d(?:[\s.,\-–()/_*|]{0,3}\d){3,}\)?")
_SPELLED = "zero um uma dois duas tres três quatro cinco seis meia sete oito nove dez onze doze treze".split()
_SPELLED_NUMBER = re.compile(rf"\b(?:(?:{'|'.join(_SPELLED)})\b[\s,.\-e]{{1,3}}){{3,}}(?:{'|'.join(_SPELLED)})\b", re.I)
_LETTERS = re.compile(r"\b[^\W\d_](?:[\s.\-_]+[^\W\d_]\b){2,}")
"""A word that is spelled: "R-I-T-A"."""
_TOLD_NAME = re.compile(
    r"\b(?:meu nome (?:completo )?(?:é|e)?|me chamo|nome:?"
    r"|(?:eu )?sou (?:a|o)|aqui (?:é|e) (?:a|o)?|(?:ele|ela) se chama"
    rf"|nome d[aoe]\w* (?:é|e)?|(?:meu|minha) {RELATIVE},?)\s+((?:[^\W\d_]+[ ]?){{1,6}})",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    """
    e que quer quero queria gostaria gosta precisa preciso tem tenho teve esta ta estou to vai vou foi ja so nao
    nunca sim por com sem a o as os um uma para pra pro de da do na no em ai aqui la ali hoje amanha ontem agora
    depois antes dele dela que faz fez marcou marcar remarcar cancelar cancelou pode posso poderia paciente
    cliente mae pai filha filho irma irmao esposa marido avo neta neto sogra tia tio que se como quando onde
    porque pois mas ou tambem muito mais bem tudo bom boa dia tarde noite obrigada obrigado favor gravida
    alergica alergico diabetica hipertensa idosa
    """.split()
)


@dataclass
class StandIns:
    """For one conversation. `own`: the clinic's words, folded; `known`: what is known of the patient and of those whom
    they book for: names, phones, documents; `today`: when it was written, and `shift`: how far its days are moved."""

    own: frozenset[str]
    known: frozenset[str]
    today: date
    shift: timedelta
    _given: dict[str, str] = field(default_factory=dict)
    _replaced: set[str] = field(default_factory=set)
    _in_capitals: bool = False

    def __post_init__(self) -> None:
        self._names = frozenset(
            word
            for text in self.known
            for word in WORD.findall(folded(text))
            if not word.isdigit() and word not in PARTICLES
        )
        self._secrets = frozenset(squeezed for text in self.known if len(squeezed := _squeezed(text)) >= _LEAST_SECRET)

    def clean(self, text: str, *, is_name: bool = False) -> str:
        """`text` with stand-ins. `is_name`: it answers a question for a name."""
        text = _plain(text)
        written = [word for word in WORD.findall(text) if word.isalpha() and len(word) > 1]
        self._in_capitals = sum(word[0].isupper() for word in written) > max(len(written) // 2, 3)
        if is_name:
            self._remember(text)
        for found in _TOLD_NAME.finditer(text):
            self._remember(found[1])
        text = _MAIL.sub(lambda found: self._instead(folded(found[0]), MAIL), text)
        text = _SITE.sub(SITE, text)
        text = _HANDLE.sub(HANDLE, text)
        text = _STREET.sub(self._street, text)
        text = moved(text, self.today, self.shift)
        parts, place = [], 0
        for found in _KEPT_NUMBER.finditer(text):
            parts += [self._numbers(text[place : found.start()]), found[0]]
            place = found.end()
        cleaned = "".join([*parts, self._numbers(text[place:])])
        return self._checked(cleaned)

    def clean_fact(self, text: str) -> str:
        """What staff write of the right answer: their words stay, since they are the clinic's, without what is known of
        the patient, and without what had a stand-in in the conversation. Its dates are moved as well."""
        text = moved(_plain(text), self.today, self.shift)
        text = _MAIL.sub(lambda found: found[0] if folded(found[0]) not in self._replaced else MAIL, text)
        text = _DIGITS.sub(lambda found: found[0] if _squeezed(found[0]) not in self._replaced else NUMBER, text)
        return self._checked(WORD.sub(self._word_of_fact, text))

    def _word_of_fact(self, found: re.Match[str]) -> str:
        plain = folded(found[0])
        return self._named(plain, found[0]) if plain in self._names or plain in self._given else found[0]

    def _remember(self, text: str) -> None:
        """Words that come where a name was asked for or told are names, whatever else they mean."""
        for word in WORD.findall(folded(text)):
            if word in _NO_NAME:
                if word not in PARTICLES:
                    break
                continue
            self._names |= {word}

    def _instead(self, whole: str, stand_in: str) -> str:
        self._replaced.add(whole)
        return stand_in

    def _street(self, found: re.Match[str]) -> str:
        said = WORD.findall(folded(found[0]))
        return found[0] if all(word in self.own for word in said[1:]) else STREET

    def _numbers(self, text: str) -> str:
        text = _SPELLED_NUMBER.sub(NUMBER, text)
        text = _DIGITS.sub(self._number, text)
        text = _LETTERS.sub(lambda found: self._named(_squeezed(found[0]), found[0]), text)
        return WORD.sub(self._word, text)

    def _number(self, found: re.Match[str]) -> str:
        digits = "".join(each for each in found[0] if each.isdigit())
        self._replaced.add(digits)
        if found[0].isdigit() and found[0] in self.own:
            return found[0]
        after = "" if found[0][-1] in ")0123456789" else " "
        if LONG_AGO in found[0]:
            return LONG_AGO
        return (
            CPF if len(digits) == len("52998224725") and "." in found[0] else PHONE if len(digits) >= 8 else NUMBER
        ) + after

    def _word(self, found: re.Match[str]) -> str:
        word, plain = found[0], folded(found[0])
        if word.isdigit():
            return word if len(word) < 4 or word in _OURS else NUMBER
        if plain in self._names:
            return self._named(plain, word)
        if plain in self.own | _OURS or (plain in common() and not self._is_capital(found)):
            return word
        return self._named(plain, word)

    def _is_capital(self, found: re.Match[str]) -> bool:
        """Whether it has a capital inside of a sentence, where words that are no names have none."""
        word, before = found[0], found.string[: found.start()].rstrip()
        if self._in_capitals or not word[0].isupper() or word.isupper() or folded(word) in _OFTEN_CAPITAL:
            return False
        return bool(before) and before[-1] not in ".!?:*\n…"

    def _named(self, key: str, word: str) -> str:
        free = [name for name in NAMES if name.lower() not in self._names] or [*NAMES]
        name = self._given.setdefault(key, free[len(self._given) % len(free)])
        return name if word[0].isupper() else name.lower()

    def _checked(self, text: str) -> str:
        """Nothing that is known, however it was parted: then the whole text is left out."""
        whole = _squeezed(text)
        return NOTHING if any(secret in whole for secret in self._secrets) else text


NOTHING = "oi"
_OFTEN_CAPITAL = frozenset(
    """
    segunda terca quarta quinta sexta sabado domingo feira janeiro fevereiro marco abril maio junho julho agosto
    setembro outubro novembro dezembro dra dr doutora doutor bom boa dia tarde noite obrigada obrigado ola oi
    sim nao deus senhor senhora whatsapp pix sus cpf
    """.split()
)
"""Words that patients write with a capital anywhere."""
_LEAST_SECRET = 7
"""Letters and digits of a full name, a phone or a document; less stands in other words too."""
_OURS = frozenset(
    word for text in (PHONE, CPF, MAIL, SITE, STREET, HANDLE, NUMBER, LONG_AGO) for word in WORD.findall(folded(text))
)


def _plain(text: str) -> str:
    """Without what is not seen, and with wide and ornate letters as plain ones."""
    normal = unicodedata.normalize("NFKC", text)
    return "".join(
        each for each in normal if each == "\n" or unicodedata.category(each)[0] not in "CS" or each in "$+º°"
    )


def _squeezed(text: str) -> str:
    return "".join(each for each in folded(text) if each.isalnum())


def known_of(texts: Iterable[str | None]) -> frozenset[str]:
    """What is known of a patient, as StandIns takes it; of phones also without country and area."""
    found = {text.strip() for text in texts if text and text.strip()}
    digits = {"".join(each for each in text if each.isdigit()) for text in found}
    return frozenset(found | {number[-8:] for number in digits if len(number) >= 8})
