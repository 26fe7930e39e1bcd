"""Promise 5: the patient reads that something is booked only in text rendered from a committed appointment."""

import re

from gendei.receptionist.language import plain

_CLAIM = re.compile(
    r"\b(?:(?:re)?(?:agend|marc)ad[oa]s?|confirmad[oa]s?|reservad[oa]s?|(?:des|re)marcad[oa]s?|cancelad[oa]s?"
    r"|(?:agend|confirm|reserv|cancel)(?:ei|amos)|(?:des|re)?(?:marquei|marcamos)|reagend(?:ei|amos))\b"
)
_HEDGE = re.compile(
    r"\b(?:nao|nunca|nem|nada|nenhum[a]?|ainda|se|quando|caso|apos|depois|antes|assim que|para que|so|preciso|posso"
    r"|precisa|pode|deseja|quer|gostaria|ser|fica|ficar|seja|sera)\b"
)
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")


def claims_booking(text: str) -> bool:
    """Whether a model's own text says that an appointment was booked, moved or cancelled.

    Sentence by sentence: a question claims nothing, nor does "nada foi marcado ainda" or "posso deixar marcado",
    but "confirmado" in a statement always does, because that word belongs to the system alone.
    """
    for sentence in _SENTENCE.findall(plain(text)):
        if sentence.rstrip().endswith("?"):
            continue
        found = _CLAIM.search(sentence)
        if found is None:
            continue
        if not _HEDGE.search(sentence) or ("confirmad" in found[0] and "nao" not in sentence.split()):
            return True
    return False
