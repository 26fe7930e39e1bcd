"""Values of the clinic file, each checked as it is written there."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from itertools import pairwise
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import phonenumbers
from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator
from rapidfuzz import process

from gendei.clinic import TEMPLATE_PARAMETERS, TEMPLATE_PURPOSES, WEEKDAYS, MessageTemplate, TimeRange
from gendei.datafile import StrictModel, Text, nearest, refusal

RESERVED_IDS = frozenset({"any"})
"""Ids that mean something else where a professional is chosen."""
_ALIKE = 80
"""Of 100: how near the name of a place must come to a zone's."""
_DAYS = ("segunda", "terça terca", "quarta", "quinta", "sexta", "sábado sabado", "domingo")
PORTUGUESE_DAYS = {
    name: day
    for words, day in zip(_DAYS, WEEKDAYS, strict=True)
    for word in words.split()
    for name in (word, word[:3], f"{word}-feira")
}
"""What who writes a weekday in Portuguese means, in lower case: {"seg": "mon"}."""


def _cents(value: object) -> object:
    if isinstance(value, float):
        raise refusal("money is whole centavos.", "R$ 250,00 is written 25000.")
    return value


def _time_range(value: object) -> TimeRange:
    try:
        return TimeRange.parse(str(value))
    except ValueError:
        raise refusal("must be a time range within one day.", 'Write it as "08:00-12:00", in quotes.') from None


def _in_order(ranges: list[TimeRange]) -> list[TimeRange]:
    if any(later.start < earlier.end for earlier, later in pairwise(ranges)):
        raise refusal("the ranges overlap or are out of order.", "Write them from early to late, each once.")
    return ranges


def _quiet_hours(value: object) -> tuple[int, int]:
    """Start and end in minutes after midnight, in either order."""
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)", str(value), re.ASCII)
    if match is None:
        raise refusal("must be two times of the day.", 'Write it as "20:00-08:00", in quotes.')
    start_hour, start_minute, end_hour, end_minute = map(int, match.groups())
    return start_hour * 60 + start_minute, end_hour * 60 + end_minute


def _day(value: object) -> date:
    try:
        return value if type(value) is date else date.fromisoformat(str(value))
    except ValueError:
        raise refusal("must be a date.", 'Write it as "2026-12-25".') from None


def _moment(value: object) -> date | datetime:
    """A date, or a naive datetime in the clinic's zone (see `_aware` of the file)."""
    try:
        text = str(value)
        moment = date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or (isinstance(moment, datetime) and moment.tzinfo):
        raise refusal("must be a date or a local time.", 'Write "2026-12-25" or "2026-12-25 14:00".')
    return moment


def _zone(value: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise refusal("there is no such time zone.", _meant_zone(str(value))) from None


_BRAZIL: Mapping[str, str] = {
    "America/Sao_Paulo": "brasilia sao paulo rio de janeiro minas gerais belo horizonte espirito santo vitoria parana "
    "curitiba santa catarina florianopolis rio grande do sul porto alegre goias goiania distrito federal brasil brazil "
    "horario de brasilia brt gmt-3 utc-3 sp rj mg es pr sc rs go df",
    "America/Bahia": "bahia salvador ba",
    "America/Recife": "pernambuco recife pe",
    "America/Fortaleza": "ceara fortaleza maranhao sao luis piaui teresina paraiba joao pessoa natal ce ma pi pb rn",
    "America/Maceio": "alagoas maceio sergipe aracaju al se",
    "America/Belem": "para belem amapa macapa pa ap",
    "America/Araguaina": "tocantins palmas to",
    "America/Manaus": "amazonas manaus am horario do amazonas amt gmt-4 utc-4",
    "America/Porto_Velho": "rondonia porto velho ro",
    "America/Boa_Vista": "roraima boa vista rr",
    "America/Cuiaba": "mato grosso cuiaba mt",
    "America/Campo_Grande": "mato grosso do sul campo grande ms",
    "America/Rio_Branco": "acre rio branco ac",
    "America/Noronha": "fernando de noronha noronha",
}
"""What people write who mean one of Brazil's zones: places, without accents."""


def _meant_zone(text: str) -> str:
    """The remedy for what is no zone: the one of that place, or of the nearest name; where nothing comes near, the
    common ones, since there are hundreds."""
    wanted = "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
    place = re.sub(r"[\s_/]+", " ", wanted.rpartition("/")[2]).strip()
    if place:
        for zone, places in _BRAZIL.items():
            if re.search(rf"\b{re.escape(place)}(?![\w-])", places):
                return nearest(zone, [zone])
    known = {name.rpartition("/")[2].replace("_", " ").casefold(): name for name in sorted(available_timezones())}
    match = process.extractOne(place, list(known), score_cutoff=_ALIKE) if len(place) > 2 else None
    return nearest(known[match[0]], [known[match[0]]]) if match else nearest("", list(_BRAZIL))


def _flag(value: object) -> object:
    """A channel's fields are all text, but nobody writes "false" in quotes."""
    if isinstance(value, list):
        raise refusal("must be one text, not a list.", 'Write them in one text with a blank between, as "... ...".')
    return str(value).lower() if isinstance(value, bool) else value


def _template_name(value: str) -> str:
    """Meta's rule for names of templates."""
    if not re.fullmatch(r"[a-z0-9_]{1,512}", value):
        raise refusal("is no name that a template can have.", "Copy it from Meta: a-z, 0-9 and _ alone.")
    return value


def _template_purpose(value: str) -> str:
    if value not in TEMPLATE_PURPOSES:
        raise refusal("there is no such purpose.", nearest(value, TEMPLATE_PURPOSES))
    return value


def _template_parameter(value: str) -> str:
    if value not in TEMPLATE_PARAMETERS:
        raise refusal("nothing fills this parameter.", nearest(value, TEMPLATE_PARAMETERS))
    return value


def _template_language(value: str) -> str:
    if not re.fullmatch(r"[a-z]{2,3}(_[A-Z]{2})?", value):
        raise refusal("is no language as Meta writes it.", 'Write "pt_BR" for Brazilian Portuguese, "en" for English.')
    return value


def _phone(value: str) -> str:
    """In E.164, as contacts are; "" stays so."""
    try:
        number = phonenumbers.parse(value) if value else None
    except phonenumbers.NumberParseException:
        raise refusal("is no phone.", 'Write it with its country, as "+55 11 99999-8888", in quotes.') from None
    if number is None:
        return ""
    if not phonenumbers.is_valid_number(number):
        raise refusal("there is no such phone.", 'Write it with its country, as "+55 11 99999-8888", in quotes.')
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


Cents = Annotated[int, BeforeValidator(_cents), Field(ge=0, le=100_000_000)]
Day = Annotated[date, PlainValidator(_day)]
Moment = Annotated[date | datetime, PlainValidator(_moment)]
Ranges = Annotated[list[Annotated[TimeRange, PlainValidator(_time_range)]], AfterValidator(_in_order)]
DayHours = Annotated[Ranges, Field(default_factory=list)]
Texts = Annotated[list[Text], Field(default_factory=list)]
Zone = Annotated[ZoneInfo, PlainValidator(_zone)]
Phone = Annotated[str, AfterValidator(_phone)]
QuietHours = Annotated[tuple[int, int], PlainValidator(_quiet_hours)]
TemplateParameter = Annotated[Text, AfterValidator(_template_parameter)]
TemplatePurpose = Annotated[str, AfterValidator(_template_purpose)]
TemplateName = Annotated[str, AfterValidator(_template_name)]
TemplateLanguage = Annotated[str, AfterValidator(_template_language)]
TextOrFlag = Annotated[str, BeforeValidator(_flag)]


class TemplateSection(StrictModel):
    """A template that Meta approved, as it is written in the file."""

    name: TemplateName
    language: TemplateLanguage = "pt_BR"
    parameters: Annotated[list[TemplateParameter], Field(default_factory=list)]
    quick_replies: Annotated[int, Field(ge=0)] = 0

    def template(self) -> MessageTemplate:
        return MessageTemplate(self.name, self.language, tuple(self.parameters), self.quick_replies)
