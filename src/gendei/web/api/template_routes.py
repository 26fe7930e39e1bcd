"""/templates: the clinic's templates at Meta."""

from fastapi import APIRouter

from gendei.commands.message_templates import (
    CREATE_TEMPLATE,
    LIST_TEMPLATES,
    LOOK_UP_TEMPLATES,
    SET_UP_TEMPLATES,
    MadeTemplateOut,
    MadeTemplatesOut,
    NoTemplates,
    TemplatesOut,
)
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.problems import READ_ONE

router = APIRouter(prefix="/templates", tags=["clinic"])


@router.get("", responses=READ_ONE, description=LIST_TEMPLATES.description)
async def list_templates(actor: Reader, gendei: Gendei) -> TemplatesOut:
    call = await gendei.desks.call(actor, CHANNEL)
    return TemplatesOut.told_of(await LIST_TEMPLATES.do(call, NoTemplates()))


offer(router, "POST ", CREATE_TEMPLATE, MadeTemplateOut.of, "create_template", status_code=201)
offer(router, "POST /setup", SET_UP_TEMPLATES, MadeTemplatesOut.told_of, "set_up_templates")
offer(router, "POST /sync", LOOK_UP_TEMPLATES, TemplatesOut.told_of, "look_up_templates")
