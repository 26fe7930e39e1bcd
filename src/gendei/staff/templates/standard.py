"""The templates that come with the product, one for each purpose, from `prompts/templates.yaml`; and what staff read
where one could not be made."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gendei.clinic import TEMPLATE_PARAMETERS
from gendei.clinics.fields import TemplateName, TemplatePurpose
from gendei.datafile import StrictModel, Text, refusal
from gendei.staff.templates.wording import Draft, Fault, faults_of
from gendei.texts import Catalogue, Each, Holds

KNOWN_OF_STAFF = frozenset({"patient", "clinic_name", "address"})
KNOWN: Mapping[str, frozenset[str]] = {
    "staff_message": KNOWN_OF_STAFF,
    "staff_alert": KNOWN_OF_STAFF | {"weekday_date", "time"},
}
"""The values that messages of a purpose have, where those are not all."""


class StandardTemplate(StrictModel):
    """One purpose's, in Portuguese. `buttons`: the titles of its quick replies, as many as its messages have."""

    name: TemplateName
    category: Literal["UTILITY", "MARKETING"] = "UTILITY"
    body: Text
    buttons: Annotated[list[Text], Field(default_factory=list)]


class StandardTemplates(Catalogue):
    """`templates` by purpose. `examples`: of each value, for Meta's reviewers. `advertising`: how words begin that make
    Meta count a template as marketing. `faults`: sentences, of which `reason` is what Meta said."""

    file_name = "templates.yaml"
    templates: dict[TemplatePurpose, StandardTemplate]
    examples: Annotated[dict[str, Text], Each(TEMPLATE_PARAMETERS)]
    advertising: list[Text]
    faults: Annotated[dict[str, Text], Each(Fault), Holds(("reason", "values"))]

    @model_validator(mode="after")
    def _all_fit(self) -> Self:
        for purpose in self.templates:
            if found := self.faults_of(self.draft(purpose)):
                problem = f"the template {purpose} would not pass at Meta ({', '.join(found)})."
                raise refusal(problem, "Change its name, text or buttons.")
        return self

    def draft(self, purpose: str) -> Draft:
        """The template of `purpose` as it would be made. Raises KeyError where there is none."""
        own = self.templates[purpose]
        return Draft(purpose, own.name, own.body.strip(), own.category, tuple(own.buttons), self.examples)

    def faults_of(self, draft: Draft) -> list[Fault]:
        return list(faults_of(draft, values_of(draft.purpose), self.advertising))


def values_of(purpose: str) -> frozenset[str]:
    """The values that a template of the purpose may hold."""
    return KNOWN.get(purpose, frozenset(TEMPLATE_PARAMETERS))
