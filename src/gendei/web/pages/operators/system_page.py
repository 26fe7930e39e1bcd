"""/operator/system: which models answer, what is wrong with the configuration, and what the store is."""

import asyncio

from nicegui import ui

from gendei.app import Gendei
from gendei.checking import check_files
from gendei.datafile import data_dir
from gendei.receptionist.llm.models import ApiModels
from gendei.staff.actors import Right
from gendei.store.schema import MIGRATIONS, version_of
from gendei.verticals import load_verticals
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.attached import attached_panel
from gendei.web.pages.operators.page import SUBPAGES, opens
from gendei.web.pages.panels import facts, moment, office, panel, subpages, tag, text, zone_of
from gendei.web.pages.texts import page_texts


@staff_page("/operator/system", title="operator", right=Right.OPERATE)
async def system(visit: Visit) -> None:
    words = page_texts("operator")
    with office(words["title"]):
        subpages(visit.actor, "/operator/system", SUBPAGES, "operator")
        _model(visit)
        attached_panel(visit)
        await _configuration(visit)
        await _store(visit)


def _model(visit: Visit) -> None:
    words, gendei = page_texts("operator"), visit.site.gendei
    done = gendei.messaging.activity
    pairs = _api(gendei, gendei.models) if gendei.models else [(words["answers"], words["by_guided"])]
    pairs += [
        (words["turns"], str(sum(one.count for one in done.turns.by_result.values()))),
        (words["apologies"], str(done.apologies)),
        (words["parked_here"], str(done.parked)),
    ]
    with panel(words["models"], words["models_hint"]):
        facts(pairs)


def _api(gendei: Gendei, models: ApiModels) -> list[tuple[str, str]]:
    words, view, settings = page_texts("operator"), models.breaker.view, gendei.settings
    state = words[f"breaker_{view.state}"].format(seconds=duration(view.retry_in), reason=view.reason or "")
    calls = ", ".join(f"{name}: {one.count}" for name, one in sorted(models.calls.by_result.items()))
    fallbacks = ", ".join(f"{reason}: {count}" for reason, count in models.figures.fallbacks.most_common())
    return [
        (words["answers"], words["by_api"]),
        (words["model"], settings.api_model or words["model_of_prompts"]),
        (words["address"], settings.openai_base_url or words["openai"]),
        (words["api_now"], state),
        (words["calls"], calls or words["none_yet"]),
        (words["fallback"], fallbacks or words["none_yet"]),
    ]


async def _configuration(visit: Visit) -> None:
    words, gendei = page_texts("operator"), visit.site.gendei
    problems = [str(one) for one in await asyncio.to_thread(check_files, gendei.settings)]
    if not problems:
        problems = await asyncio.to_thread(_of_clinics, gendei)
    with panel(words["configuration"], words["configuration_hint"]):
        for problem in problems:
            text("p", problem, "o-mono o-box")
        with ui.element("div").classes("o-head"):
            tag(words["problems"].format(count=len(problems)), "bad") if problems else tag(words["all_well"], "good")


def _of_clinics(gendei: Gendei) -> list[str]:
    """What is wrong with the clinics in the store, by files that are all well."""
    words, problems = page_texts("operator"), list[str]()
    verticals = load_verticals(data_dir("verticals", gendei.settings.verticals_dir))
    for clinic in gendei.directory.all():
        if clinic.vertical not in verticals:
            problems.append(words["no_vertical"].format(clinic=clinic.id, vertical=clinic.vertical))
        unreadable = [one.external_id for one in clinic.channels if not opens(gendei.secrets, one)]
        problems += [words["unreadable_of"].format(clinic=clinic.id, number=number) for number in unreadable]
    return problems


async def _store(visit: Visit) -> None:
    words, gendei = page_texts("operator"), visit.site.gendei
    version = await version_of(gendei.documents)
    with panel(words["store"]):
        facts(
            [
                (words["database"], gendei.settings.database),
                (words["media"], gendei.settings.media),
                (words["schema"], words["schema_of"].format(found=version, newest=MIGRATIONS[-1].to)),
                (words["process"], words[f"process_{gendei.role}"]),
                (words["clock"], moment(gendei.clock().astimezone(zone_of(visit)))),
            ]
        )
