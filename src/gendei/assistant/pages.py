"""The pages that answers lead to, and who may open them."""

import re
from collections.abc import Mapping

from gendei.staff.actors import Actor, Right

PAGES: Mapping[str, Right | None] = {
    "/agenda": Right.READ,
    "/inbox": Right.READ,
    "/patients": Right.READ,
    "/tasks": Right.READ,
    "/numbers": Right.MANAGE,
    "/account": None,
    "/account/team": Right.MANAGE,
    "/account/replies": Right.MANAGE,
}
"""Their addresses, as answers have them in brackets, with the right that each takes; None: for everybody."""
_NAMED = re.compile(r" \((" + "|".join(map(re.escape, PAGES)) + r")\)")


def leading(text: str, actor: Actor, instead: str) -> str:
    """`text`, with `instead` in the place of each address that the actor may not open."""

    def shown(found: re.Match[str]) -> str:
        right = PAGES[found[1]]
        return found[0] if right is None or actor.may(right) else f" ({instead})"

    return _NAMED.sub(shown, text)
