"""Names as people write them of themselves, told from what only stands where a name should."""

import re
import unicodedata

MAX_WORDS, MAX_LETTERS = 8, 80
MAX_DECOMPOSED = 4 * MAX_LETTERS
"""No name takes more characters before its letters and their marks are joined, which takes time."""
_TITLES = frozenset("dona d seu sr sra dr dra prof profa doutor doutora".split())
_NAME = re.compile(r"[^\W\d_]+\.?(?:['\u2019-][^\W\d_]+)*(?: [^\W\d_]+\.?(?:['\u2019-][^\W\d_]+)*)*")


def name_in(text: str) -> str | None:
    """The name in a WhatsApp profile ("Jô Reis 🌸" has one), or in an answer to who comes; None where there is none:
    "♡", "12", "Ana'); DROP TABLE"."""
    dressed = "".join(" " if unicodedata.category(one) in {"So", "Sk", "Cf", "Mn"} else one for one in text)
    said = " ".join(dressed.split())
    if len(said) > MAX_DECOMPOSED:
        return None
    bare = unicodedata.normalize("NFC", said).strip(" .,!")
    likely = len(bare) <= MAX_LETTERS and len(bare.split()) <= MAX_WORDS
    return bare if likely and _NAME.fullmatch(bare) else None


def first_name(name: str) -> str:
    """What somebody is greeted by ("Dona Lurdes Reis": "Lurdes"); "" where there is no such word."""
    return next((one for one in name.split() if one.isalpha() and one.lower() not in _TITLES), "")
