"""A clinic as its file says it: what `gendei clinics export` writes, and what changes of single fields are made on.

A secret stands as "${NAME}": the variable that the file named, or a name made of the field's. What a file need not say,
since it is the default, is left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, replace
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Any, NamedTuple

import yaml

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinic import WEEKDAYS, Channel, Clinic, ProactivePolicy, Professional, TimeOff, WeeklyHours
from gendei.clinic_initiatives import NoShowPolicy
from gendei.clinic_services import LanguageModel, McpServer, SpeechService
from gendei.clinics.deposits import secrets_of_account
from gendei.clinics.field_paths import SWITCHES, Path, Tree, as_file, as_tree, dotted
from gendei.clinics.language_model import model_purpose
from gendei.clinics.servers import AUTHORIZATION, server_purpose
from gendei.clinics.voice import LISTENS, SPEAKS, speech_purpose
from gendei.deposit_rules import DepositRules, ReceivingAccount
from gendei.health_plan import HealthPlan, PlanTerms
from gendei.reminding import ReminderPolicy
from gendei.secrets import channel_purpose

PLACEHOLDER = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_BREAK = re.compile(r"[\n\r\x85\u2028\u2029]")
"""Where YAML begins a new line; only in double quotes is each of them read back as it was."""
_WIDTH = 120


class Sealed(NamedTuple):
    """A credential as it is stored, and what it is sealed for."""

    text: str
    purpose: str


def written(clinic: Clinic) -> Tree:
    """The clinic's file, as a tree (see gendei.clinics.field_paths), in the order of docs/clinics.md."""
    tree: Tree = as_tree(_content(clinic))
    return tree


def yaml_of(clinic: Clinic) -> str:
    """The clinic's file. Imported, with the variables that it names set, it makes the clinic as it is."""
    content = as_file(written(clinic))
    return yaml.dump(
        content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDTH, default_flow_style=None
    )


class _Dumper(yaml.SafeDumper):
    """Lists of words in a line, no references, and quotes around what looks like a number or names a variable."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        node = super().represent_sequence(tag, sequence, flow_style)
        node.flow_style = all(isinstance(item, yaml.ScalarNode) for item in node.value)
        return node

    def text(self, value: str) -> yaml.Node:
        quoted = re.fullmatch(r"\+?[\d:. -]+", value) or PLACEHOLDER.search(value) or _BREAK.search(value)
        return self.represent_scalar("tag:yaml.org,2002:str", value, style='"' if quoted else None)


_Dumper.add_representer(str, _Dumper.text)


def secrets_of(clinic: Clinic) -> dict[Path, Sealed]:
    """Every credential of the clinic, by its field."""
    return dict(_secrets(clinic))


def variable_for(clinic_id: str, path: Path) -> str:
    """The variable that an exported file names for a secret of which no file named one."""
    name = re.sub(r"[^A-Z0-9]+", "_", f"{clinic_id}_{dotted(path)}".upper()).strip("_")
    return name if not name[0].isdigit() else f"_{name}"


def _secrets(clinic: Clinic) -> Iterator[tuple[Path, Sealed]]:
    for channel in clinic.channels:
        for name, text in channel.sealed.items():
            purpose = channel_purpose(clinic.id, channel.provider, channel.external_id, name)
            yield ("channels", f"{channel.provider}:{channel.external_id}", name), Sealed(text, purpose)
    for part, service in ((LISTENS, clinic.voice.transcription), (SPEAKS, clinic.voice.synthesis)):
        if service.sealed_key:
            yield (
                ("voice", part, "api_key"),
                Sealed(service.sealed_key, speech_purpose(clinic.id, part, service.base_url)),
            )
    for server in clinic.mcp_servers:
        for header, text in server.sealed_headers.items():
            yield (
                _header_path(clinic, server, header),
                Sealed(text, server_purpose(clinic.id, server.name, server.url, header)),
            )
    if (own := clinic.language_model) is not None and own.sealed_key:
        yield ("language_model", "api_key"), Sealed(own.sealed_key, model_purpose(clinic.id, own.base_url))
    for provider, account in clinic.deposits.accounts.items() if clinic.deposits else ():
        for name, sealed in secrets_of_account(clinic.id, provider, account).items():
            yield ("deposits", provider, name), Sealed(*sealed)


def _header_path(clinic: Clinic, server: McpServer, header: str) -> Path:
    """`token` is the header of authorization, unless the file wrote that as a header."""
    path = ("mcp_servers", server.name, "headers", header)
    return path if header != AUTHORIZATION or dotted(path) in clinic.secret_names else (*path[:2], "token")


def with_sealed(clinic: Clinic, kept: Mapping[Path, str]) -> Clinic:
    """The clinic with credentials as they were stored before, by their fields."""

    def channel_kept(channel: Channel) -> Channel:
        at = ("channels", f"{channel.provider}:{channel.external_id}")
        return replace(channel, sealed={name: kept.get((*at, name), text) for name, text in channel.sealed.items()})

    def service_kept(service: SpeechService, part: str) -> SpeechService:
        return replace(service, sealed_key=kept.get(("voice", part, "api_key"), service.sealed_key))

    def server_kept(server: McpServer) -> McpServer:
        headers = server.sealed_headers.items()
        sealed = {header: kept.get(_header_path(clinic, server, header), text) for header, text in headers}
        return replace(server, sealed_headers=sealed)

    def account_kept(provider: str, account: ReceivingAccount) -> ReceivingAccount:
        sealed = {name: kept.get(("deposits", provider, name), text) for name, text in account.sealed.items()}
        return replace(account, sealed=sealed)

    def deposits_kept(rules: DepositRules) -> DepositRules:
        accounts = {provider: account_kept(provider, account) for provider, account in rules.accounts.items()}
        return replace(rules, accounts=accounts)

    own = clinic.language_model
    return replace(
        clinic,
        channels=tuple(map(channel_kept, clinic.channels)),
        voice=replace(
            clinic.voice,
            transcription=service_kept(clinic.voice.transcription, LISTENS),
            synthesis=service_kept(clinic.voice.synthesis, SPEAKS),
        ),
        mcp_servers=tuple(map(server_kept, clinic.mcp_servers)),
        deposits=clinic.deposits and deposits_kept(clinic.deposits),
        language_model=own and replace(own, sealed_key=kept.get(("language_model", "api_key"), own.sealed_key)),
    )


_TOLD_ELSEWHERE = frozenset({"plans", "secret_names"})
"""Fields of a clinic that its file has under others."""


def _content(clinic: Clinic) -> Tree:
    """In the order of docs/clinics.md; fields that nothing is said of here follow as they are."""
    secrets = {path: "${" + _variable(clinic, path) + "}" for path in secrets_of(clinic)}
    said: Tree = {
        "id": clinic.id,
        "kept_in_file": clinic.kept_in_file,
        "name": clinic.name,
        "vertical": clinic.vertical,
        "timezone": clinic.timezone.key,
        "address": clinic.address,
        "phone": clinic.phone,
        "location": _said(clinic.location) if clinic.location else None,
        "hours": _hours(clinic.hours),
        "closed": [day.isoformat() for day in sorted(clinic.closed)],
        "channels": [_channel(channel, secrets) for channel in clinic.channels],
        "services": [_said(service) for service in clinic.services],
        "professionals": [_professional(professional, clinic) for professional in clinic.professionals],
        "booking": _said(clinic.booking),
        "insurance": [_plan(name, clinic) for name in dict.fromkeys(clinic.insurance)],
        "payment_methods": list(clinic.payment_methods),
        "cancellation_policy": clinic.cancellation_policy,
        "notes": clinic.notes,
        "templates": {key: _said(template) for key, template in clinic.templates.items() if "/" not in key},
        "proactive": _proactive(clinic.proactive),
        "reminders": _reminders(clinic.reminders, clinic) if clinic.reminders is not None else None,
        "waiting_list": _said(clinic.waiting_list) if clinic.waiting_list is not None else None,
        "no_shows": _no_shows(clinic.no_shows) if clinic.no_shows is not None else None,
        "survey": _said(clinic.survey) if clinic.survey is not None else None,
        "deposits": _deposits(clinic.deposits, secrets) if clinic.deposits is not None else None,
        "media": _said(clinic.media),
        "takeover": _said(clinic.takeover),
        "voice": _said(
            clinic.voice, transcription=_service(LISTENS, clinic, secrets), synthesis=_service(SPEAKS, clinic, secrets)
        ),
        "personal_data": [str(datum) for datum in clinic.personal_data],
        "language_model": _keyed(clinic.language_model, secrets.get(("language_model", "api_key"))),
        "model_style": _plain(clinic.model_style),
        "words": _said(clinic.words) if clinic.words else None,
        "mcp_servers": [_server(server, clinic, secrets) for server in clinic.mcp_servers],
    }
    more = (field.name for field in fields(Clinic) if field.name not in {*said, *_TOLD_ELSEWHERE})
    said |= {name: _plain(getattr(clinic, name)) for name in more}
    present = [name for name in SWITCHES if said[name] is not None]
    needed = {"hours", "services", "professionals", *present}
    return {name: value for name, value in said.items() if value or name in needed}


def _variable(clinic: Clinic, path: Path) -> str:
    return clinic.secret_names.get(dotted(path)) or variable_for(clinic.id, path)


def _said(record: Any, **otherwise: Any) -> Tree:
    """The fields of a value that are not its defaults. `otherwise`: those that the file has otherwise; None: not."""
    found: Tree = {}
    for field in fields(record):
        value = otherwise[field.name] if field.name in otherwise else getattr(record, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if field.name in otherwise or value != default:
            found[field.name] = _plain(value)
    return {name: value for name, value in found.items() if value not in (None, "", {}, [])}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value


def _keyed(service: SpeechService | LanguageModel | None, key: str | None) -> Tree:
    """A service with a key of its own, which is told first."""
    return {**({"api_key": key} if key else {}), **(_said(service, sealed_key=None) if service else {})}


def _hours(hours: WeeklyHours) -> Tree:
    return {WEEKDAYS[day]: [str(part) for part in ranges] for day, ranges in sorted(hours.items()) if ranges}


def _professional(professional: Professional, clinic: Clinic) -> Tree:
    said = {
        "id": professional.id,
        "name": professional.name,
        "services": list(professional.service_ids),
        "hours": _hours(professional.hours) if professional.hours is not None else None,
        "time_off": [_time_off(absence, clinic) for absence in professional.time_off],
        "council": professional.council_number,
        "specialty": professional.specialty,
        "aliases": list(professional.aliases),
    }
    return {name: value for name, value in said.items() if value}


def _time_off(absence: TimeOff, clinic: Clinic) -> Tree:
    """Whole days as dates, of which the last one is included."""
    start, end = (clinic.local(moment).replace(tzinfo=None) for moment in (absence.start, absence.end))
    first = start.date().isoformat() if start.time() == time() else _moment(start)
    last = (end.date() - timedelta(days=1)).isoformat() if end.time() == time() else _moment(end)
    return {"start": first, "end": last, **({"reason": absence.reason} if absence.reason else {})}


def _moment(local: datetime) -> str:
    return local.isoformat(" ", "auto" if local.second or local.microsecond else "minutes")


def _channel(channel: Channel, secrets: Mapping[Path, str]) -> Tree:
    kind = CHANNEL_KINDS.get(channel.provider)
    number = kind.external_id[0] if kind else "number"
    at = ("channels", f"{channel.provider}:{channel.external_id}")
    settings = {
        name: value
        for name, value in channel.settings.items()
        if kind is None or name not in kind.settings or value != (kind.settings[name].default or "")
    }
    sealed = {name: secrets[*at, name] for name in channel.sealed}
    return {"provider": channel.provider, number: channel.external_id, **sealed, **settings}


def _plan(name: str, clinic: Clinic) -> Tree:
    plan = next((plan for plan in clinic.plans if plan.name == name), HealthPlan(name))
    said: Tree = {"name": name, "aliases": list(plan.aliases), **_terms(plan.terms, PlanTerms())}
    if plan.services is not None:
        said["services"] = [{"id": known, **_terms(terms, plan.terms)} for known, terms in plan.services.items()]
    return {field: value for field, value in said.items() if value != []}


def _terms(terms: PlanTerms, above: PlanTerms) -> Tree:
    """What has to be said so that it is not as `above`."""
    said: Tree = {}
    if (terms.covered, terms.price_cents) != (above.covered, above.price_cents):
        said = {"covered": terms.covered} if terms.price_cents is None else {"price_cents": terms.price_cents}
    for field in ("authorization", "card_number", "waiting_days", "deposit", "professionals"):
        if (value := getattr(terms, field)) != getattr(above, field):
            said[field] = _plain(value)
    return said


def _proactive(policy: ProactivePolicy) -> Tree:
    said, quiet = _said(policy, quiet_start=None, quiet_end=None), (policy.quiet_start, policy.quiet_end)
    if quiet == (ProactivePolicy().quiet_start, ProactivePolicy().quiet_end):
        return said
    return {"quiet_hours": "-".join(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in quiet), **said}


def _reminders(policy: ReminderPolicy, clinic: Clinic) -> Tree:
    """Each with the template of its own, which stands with the others in the clinic."""
    said = _said(policy, rules=None)
    if policy.rules is None:
        return said
    own = {rule: clinic.templates[rule.template] for rule in policy.rules if rule.template in clinic.templates}
    at = [{**_said(rule), **({"template": _said(own[rule])} if rule in own else {})} for rule in policy.rules]
    return {"at": at, **said}


def _no_shows(policy: NoShowPolicy) -> Tree:
    """Never, of hours, is 0."""
    said = _said(policy, unmarked_hours=None)
    hours = policy.unmarked_hours or 0
    return said | ({"unmarked_hours": hours} if hours != NoShowPolicy().unmarked_hours else {})


def _deposits(rules: DepositRules, secrets: Mapping[Path, str]) -> Tree:
    """Each account under its provider's name."""
    accounts = {
        provider: {**account.settings, **{name: secrets["deposits", provider, name] for name in account.sealed}}
        for provider, account in rules.accounts.items()
    }
    return {**_said(rules, accounts=None), **accounts}


def _service(part: str, clinic: Clinic, secrets: Mapping[Path, str]) -> Tree:
    return _keyed(getattr(clinic.voice, part), secrets.get(("voice", part, "api_key")))


def _server(server: McpServer, clinic: Clinic, secrets: Mapping[Path, str]) -> Tree:
    credentials: Tree = {}
    for header in server.sealed_headers:
        path = _header_path(clinic, server, header)
        if path[-1] == "token":
            credentials["token"] = secrets[path]
        else:
            credentials.setdefault("headers", {})[header] = secrets[path]
    return {**_said(server, sealed_headers=None), **credentials}
