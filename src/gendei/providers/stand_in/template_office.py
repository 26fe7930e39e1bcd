"""A local stand-in of Meta's office for templates: what an account's templates are made, listed and sent by.

It takes what Meta takes and refuses what Meta refuses. What Meta's reviewers do, and what complaints bring, is
told to it (`decide`, `announce`, `rate`, `remove`); each gives the value of the webhook that Meta would post.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.stand_in.rules import Refused

PER_HOUR = 100
"""Creations that an account may ask for; the stand-in counts them from its start on, or from `new_hour`."""
INVALID, TAKEN, BEING_DELETED = 100, 2388024, 2388023
_GAP = re.compile(r"\{\{\s*(\d+)\s*\}\}")
_PURPOSES = {"UTILITY", "MARKETING", "AUTHENTICATION"}
_REFUSED_SENDS = {"PAUSED": 132015, "DISABLED": 132016}
Key = tuple[str, str]
"""Name and language."""


@dataclass(frozen=True, slots=True)
class StandInTemplate:
    """A template of an account, as the Graph API shows it."""

    id: str
    account: str
    name: str
    language: str
    category: str
    components: list[Json]
    status: str = "PENDING"
    quality: str = "UNKNOWN"
    reason: str = "NONE"
    correct_category: str = ""

    @property
    def told(self) -> Json:
        soon = {"correct_category": self.correct_category} if self.correct_category else {}
        return {
            "id": self.id,
            "name": self.name,
            "language": self.language,
            "status": self.status,
            "category": self.category,
            "quality_score": {"score": self.quality},
            "rejected_reason": self.reason,
            "parameter_format": "POSITIONAL",
            "components": self.components,
            **soon,
        }

    @property
    def parameters(self) -> int:
        return len(set(_GAP.findall(_body(self.components))))


class TemplateNotTaken(Exception):
    """A template that is not taken, as Meta says it."""

    def __init__(self, code: int, subcode: int, message: str) -> None:
        self.code, self.subcode, self.message = code, subcode, message
        super().__init__(message)


@dataclass
class TemplateOfficeStandIn:
    """The templates of all accounts. Nothing is known of a template that was not made here, so that any may be sent.
    approves: what is new is approved at once, and not looked at by reviewers."""

    templates: dict[str, dict[Key, StandInTemplate]] = field(default_factory=dict)
    per_hour: int = PER_HOUR
    approves: bool = False
    _made: Counter[str] = field(default_factory=Counter)
    _deleted: set[tuple[str, Key]] = field(default_factory=set)

    def new_hour(self) -> None:
        """Let accounts make templates again."""
        self._made.clear()

    def has(self, account: str, key: Key) -> bool:
        return key in self.templates.get(account, {})

    def listed(self, account: str) -> list[Json]:
        return [template.told for template in self.templates.get(account, {}).values()]

    def create(self, account: str, wish: Json) -> Json:
        """Take a new template, which reviewers then look at. Raises TemplateNotTaken."""
        name, language = string(wish.get("name")) or "", string(wish.get("language")) or ""
        components, category = objects(wish.get("components")), string(wish.get("category")) or ""
        if not re.fullmatch(r"[a-z0-9_]{1,512}", name) or not language or category not in _PURPOSES:
            raise TemplateNotTaken(INVALID, 0, "name, language or category is invalid")
        for problem in _problems(components):
            raise TemplateNotTaken(INVALID, 2388299, problem)
        if (account, (name, language)) in self._deleted:
            raise TemplateNotTaken(INVALID, BEING_DELETED, "the name is being deleted; try again in 4 weeks")
        if (name, language) in self.templates.get(account, {}):
            raise TemplateNotTaken(INVALID, TAKEN, "content in this language exists already")
        if self._made[account] >= self.per_hour:
            raise TemplateNotTaken(80008, 0, "too many calls for this account")
        self._made[account] += 1
        number = str(3 * 10**15 + sum(map(len, self.templates.values())))
        template = StandInTemplate(number, account, name, language, category, components)
        if self.approves:
            template = replace(template, status="APPROVED")
        self.templates.setdefault(account, {})[name, language] = template
        return {"id": number, "status": template.status, "category": category}

    def decide(self, account: str, key: Key, event: str, reason: str = "NONE") -> Json:
        """Let it become APPROVED, REJECTED (for `reason`), PAUSED, DISABLED or whatever else Meta has."""
        template = self._change(account, key, status=event, reason=reason)
        return _named(template) | {"event": event, "reason": reason, "message_template_category": template.category}

    def announce(self, account: str, key: Key, category: str, *, done: bool = False) -> Json:
        """Say that it will be counted as `category` from tomorrow on, or `done`, that it is."""
        was = self.templates[account][key].category
        if done:
            template = self._change(account, key, category=category, correct_category="")
            return _named(template) | {"previous_category": was, "new_category": category}
        template = self._change(account, key, correct_category=category)
        return _named(template) | {"new_category": was, "correct_category": category}

    def rate(self, account: str, key: Key, quality: str) -> Json:
        """Let patients' complaints make it GREEN, YELLOW or RED."""
        was = self.templates[account][key].quality
        template = self._change(account, key, quality=quality)
        return _named(template) | {"previous_quality_score": was, "new_quality_score": quality}

    def remove(self, account: str, key: Key) -> Json:
        """Delete it, so that its name is not free for a while."""
        template = self.templates[account].pop(key)
        self._deleted.add((account, key))
        return _named(template) | {"event": "DELETED", "reason": "NONE"}

    def check_send(self, payload: Json) -> None:
        """Raise Refused where a message is sent as a template that was made here and is not approved, or does not
        fit, or was deleted."""
        content = part(payload, "template")
        key = string(content.get("name")) or "", string(part(content, "language").get("code")) or ""
        known = [found for of_account in self.templates.values() if (found := of_account.get(key))]
        if not known and any(deleted == key for _, deleted in self._deleted):
            raise Refused(132001, "the template was deleted")
        for template in known:
            if template.status != "APPROVED":
                raise Refused(_REFUSED_SENDS.get(template.status, 132001), f"the template is {template.status}")
            values = [each for each in objects(content.get("components")) if each.get("type") == "body"]
            if sum(len(objects(each.get("parameters"))) for each in values) != template.parameters:
                raise Refused(132000, "the number of parameters does not match the template")

    def _change(self, account: str, key: Key, **changes: str) -> StandInTemplate:
        changed = replace(self.templates[account][key], **changes)  # type: ignore[arg-type]  # its texts
        self.templates[account][key] = changed
        return changed


def _named(template: StandInTemplate) -> Json:
    return {
        "message_template_id": int(template.id),
        "message_template_name": template.name,
        "message_template_language": template.language,
    }


def _body(components: list[Json]) -> str:
    return next((string(each.get("text")) or "" for each in components if each.get("type") == "BODY"), "")


def _problems(components: list[Json]) -> Iterator[str]:
    """What Meta refuses at once."""
    text = _body(components)
    gaps = [int(number) for number in _GAP.findall(text)]
    if not text or len(text) > 1024:
        yield "the body has 1 to 1024 characters"
    if sorted(set(gaps)) != list(range(1, len(set(gaps)) + 1)):
        yield "variables are numbered from 1 on"
    if re.match(r"\W*\{\{", text) or re.search(r"\}\}\W*$", text):
        yield "variables can't be at the start or end of the template"
    if len(_GAP.sub(" ", text).split()) <= 2 * len(gaps):
        yield "the template has too many variables for its length"
    body = next((each for each in components if each.get("type") == "BODY"), {})
    examples = part(body, "example").get("body_text")
    rows = examples if isinstance(examples, list) else []
    if gaps and not (rows and isinstance(rows[0], list) and len(rows[0]) == len(set(gaps)) and all(rows[0])):
        yield "an example for each variable is missing"
    for each in components:
        replies = objects(each.get("buttons"))
        if len(replies) > 10 or any(not 0 < len(string(reply.get("text")) or "") <= 25 for reply in replies):
            yield "buttons have 1 to 25 characters, and there are 10 at most"
