"""Who has a second factor, and gives its code."""

from dataclasses import replace
from datetime import UTC, datetime

import pyotp
from playwright.async_api import Page
from tests.pages.house import House

from gendei.documents import Query, put
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.access.users import User, totp_purpose


def with_factor(house: House, user: User, secret: str) -> User:
    return replace(user, totp=house.gendei.secrets.seal(secret, totp_purpose(user.id)))


async def give_code(page: Page, secret: str) -> None:
    """To the page that asks for it."""
    asked = page.get_by_role("dialog", name="Confirme que é você")
    await asked.get_by_label("Código do aplicativo").fill(pyotp.TOTP(secret).now())
    await asked.get_by_role("button", name="Continuar").click()


async def proven_just_now(house: House) -> None:
    """Everybody who is signed in has a factor, and gave its code."""
    documents, secret = house.gendei.documents, new_totp_secret()
    for session in await documents.query(Query("gendei_sessions")):
        user = await documents.get(f"gendei_users/{session.data['userId']}")
        totp = house.gendei.secrets.seal(secret, totp_purpose(session.data["userId"]))
        proved = {**session.data, "provedAt": datetime.now(UTC)}
        await documents.commit([put(user.path, {**user.data, "totp": totp}), put(session.path, proved)])
    house.gendei.staff.sessions._recent.clear()
