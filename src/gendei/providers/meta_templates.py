"""What templates Meta has for an account: GET {graph}/{version}/{waba_id}/message_templates, page after page."""

import json
import re
from collections.abc import Callable, Iterator

import httpx

from gendei.clinic import Channel
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.errors import GendeiError
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.meta_errors import refusal

FIELDS = "name,language,status,category,quality_score,parameter_format,components"
PAGE = 100
MOST_PAGES = 100
"""Far above the 6,000 templates that Meta allows a verified account."""
TIMEOUT = httpx.Timeout(30, connect=5)


class TemplatesUnavailable(GendeiError):
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
        """Every template of the account, whatever its status. Raises TemplatesUnavailable, and SecretUnreadable."""
        waba_id = channel.settings.get("waba_id")
        if not waba_id:
            raise TemplatesUnavailable(
                f"the number {channel.external_id} has no waba_id in its clinic file. "
                "Add the WhatsApp Business account's id to the channel, and import the file."
            )
        token = self._credential(channel, "access_token")
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
        try:
            response = await self._client.send(request, follow_redirects=False)
            answer = json.loads(response.content)
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise TemplatesUnavailable(f"Meta gave no list of templates ({type(error).__name__})") from None
        answer = answer if isinstance(answer, dict) else {}
        if not response.is_success or not isinstance(answer.get("data"), list):
            code = part(answer, "error").get("code")
            known = code if isinstance(code, int) and not isinstance(code, bool) else None
            raise TemplatesUnavailable(f"Meta gave no list of templates: {refusal(response.status_code, known).reason}")
        return answer


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
