"""What staff read when a message did not get through."""

from pathlib import Path

import pytest
import yaml

from gendei.conversation.outbound.failures import FailureTexts, code_of
from gendei.conversation.stored.conversation import FailureReason
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.providers.meta_errors import RULES

TEXTS = FailureTexts.load(data_dir("prompts"))


@pytest.mark.parametrize("reason", list(FailureReason))
def test_every_reason_has_a_sentence(reason: FailureReason) -> None:
    assert TEXTS.explain(reason, "").endswith((".", "?"))


@pytest.mark.parametrize(
    ("detail", "code"),
    [("131026 Message undeliverable", "131026"), ("HTTP 500 no", ""), ("busy", ""), ("", ""), ("0 Auth", "0")],
)
def test_the_code_stands_at_the_beginning(detail: str, code: str) -> None:
    assert code_of(detail) == code


def test_a_code_says_more_than_the_reason() -> None:
    explained = TEXTS.explain(FailureReason.DELIVERY_FAILED, "131047 Re-engagement message")

    assert explained == TEXTS.codes["131047"]


def test_a_code_that_nobody_knows_gets_the_sentence_of_the_reason() -> None:
    explained = TEXTS.explain(FailureReason.SEND_FAILED, "999999 new")

    assert explained == TEXTS.reasons[FailureReason.SEND_FAILED]


def test_every_code_of_the_catalogue_is_one_that_meta_has() -> None:
    assert {int(code) for code in TEXTS.codes} <= RULES.keys()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["reasons"].update(parkd="?"), "there is no such entry"),
        (lambda data: data["codes"].update(abc="?"), "is no code"),
    ],
)
def test_a_catalogue_with_a_mistake_stops_the_start(tmp_path: Path, change: object, said: str) -> None:
    data = yaml.safe_load((data_dir("prompts") / "failures.yaml").read_text(encoding="utf-8"))
    change(data)  # type: ignore[operator]  # one of the above
    (tmp_path / "failures.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        FailureTexts.load(tmp_path)
