"""What a way asks for, as fields of a form. What is secret is not shown as it is written."""

from collections.abc import Mapping

from nicegui import ui

from gendei.channel_kinds import Form
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("connecting")
SHOWN = frozenset({"phone_number_id", "waba_id", "instance", "instance_id", "base_url"})


class GivenFields:
    def __init__(self, forms: Mapping[str, Form]) -> None:
        with ui.element("div").classes("o-fields"):
            self._inputs = {name: self._input(name, form) for name, form in forms.items()}

    @property
    def values(self) -> dict[str, str]:
        return {name: field.value or "" for name, field in self._inputs.items()}

    def clear(self) -> None:
        """So that no secret stays on the page."""
        for field in self._inputs.values():
            field.set_value("")

    def _input(self, name: str, form: Form) -> ui.input:
        hidden = name not in SHOWN
        field = ui.input(TEXTS[f"field_{name}"]).props("outlined dense autocomplete=off maxlength=1000")
        if hidden:
            field.props("type=password autocomplete=new-password")
        if form.default:
            field.props["placeholder"] = form.default
        return field
