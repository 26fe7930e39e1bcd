"""What templates Meta has for an account, and new ones: GET and POST {graph}/{version}/{waba_id}/message_templates."""

import json
import re
from collections.abc import Callable, Iterator

import httpx

from gendei.clinic import Channel
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.messages.channels import Transient
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.meta_errors import refusal
from gendei.staff.templates.office import CreationRefused, NameTaken, NoAccount, OfficeUnavailable, TooManyCreations
from gendei.staff.templates.wording import Draft

FIELDS = "name,language,status,category,quality_score,parameter_format,components,rejected_reason,correct_category"
PAGE = 100
MOST_PAGES = 100
"""Far above the 6,000 templates that Meta allows a verified account."""
TIMEOUT = httpx.Timeout(30, connect=5)


TAKEN = frozenset({2388023, 2388024})
"""Meta's subcodes for a name that the account has in this language, or whose deletion is not over."""
TOO_MANY = frozenset({4, 17, 341, 80007, 80008})
LONGEST_REASON = 300


class TemplatesUnavailable(OfficeUnavailable):
    """Meta did not tell which templates there are. The reason stands before; try again, or renew the access token."""


class MetaTemplates:
    """Reads the templates of a channel's account. credential: as for MetaProvider (`SecretBox.open_channel`)."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        graph_url: str,
        graph_version: str,
        credential: Callable[[Channel, str], str],
    ) -> None:
        self._client, self._credential = client, credential
        self._base = f"{graph_url.rstrip('/')}/{graph_version}"

    async def of(self, channel: Channel) -> list[ApprovedTemplate]:
        """Every template of the account, whatever its status. Raises TemplatesUnavailable, NoAccount and
        SecretUnreadable."""
        waba_id, token = _account(channel), self._credential(channel, "access_token")
        found: list[ApprovedTemplate] = []
        after: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._page(waba_id, token, after)
            found += _templates(page)
            cursor = string(part(part(page, "paging"), "cursors").get("after"))
            if not part(page, "paging").get("next") or cursor in {None, after}:
                return found
            after = cursor
        raise TemplatesUnavailable("Meta's list of templates does not end")

    async def create(self, channel: Channel, draft: Draft) -> ApprovedTemplate:
        """Ask for a new template, without leave for Meta to count it as something dearer. Raises TemplatesUnavailable,
        NoAccount, SecretUnreadable, CreationRefused, NameTaken and TooManyCreations."""
        waba_id, token = _account(channel), self._credential(channel, "access_token")
        request = self._client.build_request(
            "POST",
            f"{self._base}/{waba_id}/message_templates",
            json=_wish(draft),
            headers={"Authorization": f"Bearer {token}"},
            timeout=TIMEOUT,
        )
        status, answer = await self._answer(request)
        if status.is_success and answer.get("id"):
            return draft.made(string(answer.get("status")) or "PENDING", string(answer.get("category")) or "")
        raise _not_made(status, part(answer, "error"))

    async def _answer(self, request: httpx.Request) -> tuple[httpx.Response, Json]:
        try:
            response = await self._client.send(request, follow_redirects=False)
            answer = json.loads(response.content)
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise TemplatesUnavailable(f"Meta did not answer as to templates ({type(error).__name__})") from None
        return response, answer if isinstance(answer, dict) else {}

    async def _page(self, waba_id: str, token: str, after: str | None) -> Json:
        """One page; by cursor, since the address that Meta gives for the next one could lead anywhere."""
        query = {"fields": FIELDS, "limit": str(PAGE)} | ({"after": after} if after else {})
        request = self._client.build_request(
            "GET",
            f"{self._base}/{waba_id}/message_templates",
            params=query,
            headers={"Authorization": f"Bearer {token}"},
            timeout=TIMEOUT,
        )
        response, answer = await self._answer(request)
        if not response.is_success or not isinstance(answer.get("data"), list):
            known = _number(part(answer, "error").get("code"))
            raise TemplatesUnavailable(f"Meta gave no list of templates: {refusal(response.status_code, known).reason}")
        return answer


def _account(channel: Channel) -> str:
    waba_id = channel.settings.get("waba_id")
    if not waba_id:
        raise NoAccount(channel)
    return waba_id


def _wish(draft: Draft) -> Json:
    """A template as Meta takes it."""
    body: Json = {"type": "BODY", "text": draft.text}
    if draft.parameters:
        body["example"] = {"body_text": [list(draft.example)]}
    replies = [{"type": "QUICK_REPLY", "text": title} for title in draft.buttons]
    return {
        "name": draft.name,
        "language": draft.language,
        "category": draft.category,
        "parameter_format": "POSITIONAL",
        "allow_category_change": False,
        "components": [body, *([{"type": "BUTTONS", "buttons": replies}] if replies else [])],
    }


def _not_made(response: httpx.Response, error: Json) -> Exception:
    """What a refusal means. Meta's own words of what is wrong with the template are for who wrote it."""
    code, subcode = _number(error.get("code")), _number(error.get("error_subcode"))
    if subcode in TAKEN:
        return NameTaken()
    if code in TOO_MANY:
        return TooManyCreations()
    outcome = refusal(response.status_code, code)
    if isinstance(outcome, Transient) or outcome.stop_channel:
        return TemplatesUnavailable(outcome.reason)
    words = string(error.get("error_user_msg")) or string(error.get("error_user_title")) or outcome.reason
    return CreationRefused(" ".join(words.split())[:LONGEST_REASON])


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _templates(page: Json) -> Iterator[ApprovedTemplate]:
    for template in objects(page["data"]):
        name, language = string(template.get("name")), string(template.get("language"))
        if name and language:
            yield _template(template, name, language.replace("-", "_"))


def _template(template: Json, name: str, language: str) -> ApprovedTemplate:
    components = objects(template.get("components"))
    buttons = [
        button for item in components if item.get("type") == "BUTTONS" for button in objects(item.get("buttons"))
    ]
    return ApprovedTemplate(
        name=name,
        language=language,
        status=string(template.get("status")) or "UNKNOWN",
        category=string(template.get("category")) or "",
        quality=string(part(template, "quality_score").get("score")) or "",
        parameters=len(set(re.findall(r"\{\{\s*(\d+)\s*\}\}", _text(components, "BODY")))),
        quick_replies=sum(button.get("type") == "QUICK_REPLY" for button in buttons),
        beyond=", ".join(_beyond(template, components, buttons)),
        text="\n\n".join(filter(None, (_text(components, kind) for kind in ("HEADER", "BODY", "FOOTER")))),
        reason="" if template.get("rejected_reason") == "NONE" else string(template.get("rejected_reason")) or "",
        correct_category=string(template.get("correct_category")) or "",
    )


def _text(components: list[Json], kind: str) -> str:
    return " ".join(string(item.get("text")) or "" for item in components if item.get("type") == kind)


def _beyond(template: Json, components: list[Json], buttons: list[Json]) -> Iterator[str]:
    """What the template takes that we send no value for."""
    if template.get("parameter_format") == "NAMED":
        yield "named parameters"
    for item in components:
        if item.get("type") == "HEADER" and (item.get("format") != "TEXT" or "{{" in (string(item.get("text")) or "")):
            yield "a header"
    if any("{{" in (string(button.get("url")) or "") for button in buttons):
        yield "a link's ending"
