"""BR Code: the text that is copied, or shown as a QR picture, to pay by PIX.

EMV's merchant-presented mode in the Central Bank's profile ("Manual de Padrões para Iniciação do Pix"): fields of two
digits, two digits of length, and the value; the last is the CRC of all before it.
"""

import binascii
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import segno

from gendei.payments.amounts import cents_of, decimal_text

_PIX = "br.gov.bcb.pix"
_LABEL = re.compile("[A-Za-z0-9]{1,25}")
LONGEST_NAME, LONGEST_CITY = 25, 15
NO_LABEL = "***"
"""In place of a reference label: the payer's bank makes one."""


class NotAPixCode(ValueError):
    """A text is no BR Code that can be paid by PIX; the message says why, and holds nothing of the text."""


@dataclass(frozen=True, slots=True)
class PixCode:
    """Static, by a `key`, or dynamic, by the `location` ("pix.example.com/8b3d...", without a scheme) at which the
    payer's bank reads the charge.

    cents: None where the payer says how much; of a dynamic code, the charge decides. label: up to 25 letters and digits
    that come back with the payment, NO_LABEL for none. once: it can be paid only once, by its own word.
    Raises NotAPixCode where no such code can be made.
    """

    merchant_name: str
    merchant_city: str
    key: str | None = None
    location: str | None = None
    cents: int | None = None
    label: str = NO_LABEL
    once: bool = False

    def __post_init__(self) -> None:
        if (self.key is None) == (self.location is None):
            raise NotAPixCode("it has either a key or a location")
        if not self.merchant_name.strip() or not self.merchant_city.strip():
            raise NotAPixCode("it names no receiver, or no city")
        if self.label != NO_LABEL and not _LABEL.fullmatch(self.label):
            raise NotAPixCode("its label is not up to 25 letters and digits")
        if self.cents is not None and self.cents < 1:
            raise NotAPixCode("its amount is not positive")
        if self.location is not None and ("://" in self.location or "/" not in self.location):
            raise NotAPixCode("its location is an address without https://")

    @property
    def is_dynamic(self) -> bool:
        return self.location is not None

    @property
    def text(self) -> str:
        """The code. Names are written without accents, as many banks' readers want them, and cut to their limits."""
        account = _field("00", _PIX) + (_field("25", self.location) if self.location else _field("01", self.key or ""))
        body = _field("00", "01")
        body += _field("01", "12") if self.once else ""
        body += _field("26", account) + _field("52", "0000") + _field("53", "986")
        body += "" if self.cents is None else _field("54", decimal_text(self.cents))
        body += _field("58", "BR")
        body += _field("59", _plain(self.merchant_name, LONGEST_NAME))
        body += _field("60", _plain(self.merchant_city, LONGEST_CITY))
        body += _field("62", _field("05", self.label)) + "6304"
        return body + crc(body)


def read_code(text: str) -> PixCode:
    """The code that `text` is, checked whole. Raises NotAPixCode."""
    code = text.strip()
    if not code.isascii() or len(code) > 512:
        raise NotAPixCode("it has letters that no code has, or is too long")
    if len(code) < 8 or code[-8:-4] != "6304" or crc(code[:-4]) != code[-4:].upper():
        raise NotAPixCode("its check digits do not fit: it was not copied whole")
    fields = dict(_fields(code))
    if (fields.get("00"), fields.get("53"), fields.get("58")) != ("01", "986", "BR"):
        raise NotAPixCode("it is no code for reais in Brazil")
    account = next(filter(None, map(_account, (fields.get(f"{number}") for number in range(26, 52)))), None)
    if account is None:
        raise NotAPixCode("it names nobody to be paid by PIX")
    amount = fields.get("54")
    cents = cents_of(amount) if amount is not None else None
    if amount is not None and cents is None:
        raise NotAPixCode("its amount cannot be read")
    label = dict(_fields(fields.get("62", ""))).get("05", NO_LABEL)
    names = fields.get("59", ""), fields.get("60", "")
    key, location = account.get("01"), account.get("25")
    return PixCode(*names, None if location else key, location, cents, label, once=fields.get("01") == "12")


def crc(text: str) -> str:
    """CRC-16/CCITT-FALSE of everything up to and including "6304": four capital hexadecimal digits."""
    return f"{binascii.crc_hqx(text.encode(), 0xFFFF):04X}"


def qr_picture(code: str) -> bytes:
    """The code as a PNG to be scanned from another screen, with the quiet zone that readers need."""
    picture = io.BytesIO()
    segno.make(code, error="m", micro=False).save(picture, kind="png", scale=8, border=4)
    return picture.getvalue()


def _field(number: str, value: str) -> str:
    if len(value) > 99:
        raise NotAPixCode(f"field {number} is longer than 99 characters")
    return f"{number}{len(value):02}{value}"


def _fields(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        head = text[place : place + 4]
        if len(head) < 4 or not head.isdigit():
            raise NotAPixCode("its fields cannot be read")
        end = place + 4 + int(head[2:])
        if end > len(text):
            raise NotAPixCode("a field is cut off")
        yield head[:2], text[place + 4 : end]
        place = end


def _account(value: str | None) -> dict[str, str] | None:
    """The receiver's fields, where they are PIX's own: other ways of payment may stand beside them."""
    if value is None:
        return None
    fields = dict(_fields(value))
    is_pix = fields.get("00", "").lower() == _PIX and ("01" in fields or "25" in fields)
    return fields if is_pix else None


def _plain(name: str, longest: int) -> str:
    """Without accents, and of printable ASCII alone."""
    letters = unicodedata.normalize("NFKD", " ".join(name.split())).encode("ascii", "ignore").decode()
    plain = "".join(letter for letter in letters if letter.isprintable())[:longest].strip()
    if not plain:
        raise NotAPixCode("a name has no letter that a code can hold")
    return plain
