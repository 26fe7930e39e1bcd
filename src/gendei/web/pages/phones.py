"""Phones and other addresses as staff read them."""

from functools import lru_cache

import phonenumbers

from gendei.clinic import Contact, is_anonymous
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("office")
_BRAZIL = 55


@lru_cache(maxsize=4096)
def address_text(address: str) -> str:
    """A phone as it is dialled within Brazil, others with their country; who has none on the web site is a visitor. Any
    other address as it is."""
    if is_anonymous(Contact(address)):
        return TEXTS["visitor"]
    try:
        number = phonenumbers.parse(address)
    except phonenumbers.NumberParseException:
        return address
    formats = phonenumbers.PhoneNumberFormat
    if number.country_code != _BRAZIL:
        return phonenumbers.format_number(number, formats.INTERNATIONAL)
    text = phonenumbers.format_number(number, formats.NATIONAL)
    # mobiles without their ninth digit, as WhatsApp gives them, have no format of their own
    return f"({text[:2]}) {text[2:-4]}-{text[-4:]}" if text.isdigit() else text
