"""The health plans of a clinic's file: each a name, or a mapping with its terms."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from gendei.clinics.fields import Cents, Texts
from gendei.datafile import DataFile, Slug, StrictModel, Text, nearest, refusal
from gendei.errors import ConfigurationError
from gendei.health_plan import PRIVATE, HealthPlan, PlanTerms, plan_key


def _priced(cents: int | None) -> int | None:
    if cents == 0:
        raise refusal("nothing is to be paid.", "Write covered: true in its place.")
    return cents


class _Terms(StrictModel):
    covered: bool | None = None
    price_cents: Annotated[Cents | None, AfterValidator(_priced)] = None
    authorization: bool | None = None
    card_number: bool | None = None
    waiting_days: Annotated[int, Field(ge=0, le=3650)] | None = None
    deposit: bool | None = None
    professionals: Annotated[list[Text], Field(min_length=1)] | None = None

    @field_validator("price_cents")
    @classmethod
    def _either(cls, price: int | None, info: ValidationInfo) -> int | None:
        if price is not None and info.data.get("covered"):
            raise refusal("what is covered has no price.", "Remove price_cents or covered.")
        return price

    def terms(self, above: PlanTerms | None = None) -> PlanTerms:
        """What is said here; of what is not, what is said `above`."""
        said = {name: value for name in _Terms.model_fields if (value := getattr(self, name)) is not None}
        if above is not None:
            paid = {"covered", "price_cents"}
            taken = _Terms.model_fields.keys() - said.keys() - (paid if paid & said.keys() else set())
            said |= {name: getattr(above, name) for name in taken}
        return PlanTerms(**said | {"professionals": tuple(said.get("professionals", ()))})


class _PlanService(_Terms):
    id: Slug


class _Plan(_Terms):
    name: Text
    aliases: Texts
    services: (
        Annotated[list[Annotated[_PlanService, BeforeValidator(lambda given: _as("id", given))]], Field(min_length=1)]
        | None
    ) = None


def _as(field: str, given: object) -> object:
    """What is only named is written as text."""
    return {field: given} if isinstance(given, str) else given


Insurance = Annotated[
    list[Annotated[_Plan, BeforeValidator(lambda given: _as("name", given))]], Field(default_factory=list)
]


def described(plans: Sequence[_Plan]) -> tuple[HealthPlan, ...]:
    """Those of which more is said than the name."""
    return tuple(found for plan in plans if (found := _plan(plan)).says_terms or found.aliases)


def _plan(written: _Plan) -> HealthPlan:
    terms, services = written.terms(), None
    if written.services is not None:
        services = {service.id: service.terms(terms) for service in written.services}
    return HealthPlan(written.name, tuple(written.aliases), terms, services)


def insurance_problems(file: DataFile) -> Iterator[ConfigurationError]:
    """Ids that there are not, and plans that are there twice."""
    entries = file.data.get("insurance")
    known = {group: _ids(file, group) for group in ("services", "professionals")}
    seen: dict[str, bool] = {}
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        described, name = isinstance(entry, dict), entry.get("name") if isinstance(entry, dict) else entry
        key = plan_key(name) if isinstance(name, str) else ""
        if key in seen and (described or seen[key]):
            yield file.error(("insurance", index), "this plan is there already.", "Write what is known of it once.")
        if key:
            seen[key] = described or seen.get(key, False)
        if not isinstance(entry, dict):
            continue
        if isinstance(name, str) and key in {"", PRIVATE}:
            remedy = "Write the plan's name; who pays privately needs no entry."
            yield file.error(("insurance", index, "name"), "is no name of a plan.", remedy)
        yield from _unknown_ids(file, ("insurance", index), entry, known)


def _unknown_ids(
    file: DataFile, at: tuple[str | int, ...], entry: dict[str, Any], known: dict[str, set[str]]
) -> Iterator[ConfigurationError]:
    services = entry.get("services")
    for place, service in enumerate(services if isinstance(services, list) else ()):
        here = (*at, "services", place)
        named = service.get("id") if isinstance(service, dict) else service
        if isinstance(service, dict):
            yield from _unknown_ids(file, here, {"professionals": service.get("professionals")}, known)
        if isinstance(named, str) and known["services"] and named not in known["services"]:
            yield file.error(here, f"there is no service {file.shown(here, named)}.", nearest(named, known["services"]))
    people = entry.get("professionals")
    for place, named in enumerate(people if isinstance(people, list) else ()):
        here = (*at, "professionals", place)
        if isinstance(named, str) and known["professionals"] and named not in known["professionals"]:
            problem = f"there is no professional {file.shown(here, named)}."
            yield file.error(here, problem, nearest(named, known["professionals"]))


def _ids(file: DataFile, group: str) -> set[str]:
    entries = file.data.get(group)
    found = (entry.get("id") for entry in (entries if isinstance(entries, list) else ()) if isinstance(entry, dict))
    return {found_id for found_id in found if isinstance(found_id, str)}
