"""L12: what strangers send begins no line of the log, and steers no terminal."""

import io
import json
import logging
import re

import pytest
from tests.attacks.edges import logged, serving
from tests.journeys.town import APP_SECRET, AURORA, NOW, NUMBERS

from gendei.observing.logs import JsonLines, TextLines
from gendei.observing.subject import Pseudonyms
from gendei.providers.stand_in.phone import WebhookMaker

FORGED = "2026-11-23 09:00:00,000 INFO gendei.app: all is well"
NASTY = f"Oops\n{FORGED}\r\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\x85\u2028\u2029\u202eend"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]")
MARKS = {f"sign {code:#x}": chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x202E, 0xD800)}


@pytest.mark.parametrize("form", ["text", "json"])
async def test_the_error_title_of_a_signed_webhook_stays_in_its_line(tmp_path, form):
    maker = WebhookMaker(APP_SECRET.encode(), NUMBERS[AURORA], lambda: NOW)
    error = {"code": 131000, "title": NASTY, "message": NASTY}
    async with serving(tmp_path, GENDEI_LOG_FORMAT=form) as server:
        status = await server.post(maker.signed(maker.body({"errors": [error]})))
        line = await logged(server, "Oops")
        begun = [request for request in server.log if request.startswith(FORGED)]
    assert (status, begun, CONTROLS.findall(line), FORGED in line, line.count("\n")) == (200, [], [], True, 1)


@pytest.mark.parametrize("formatter", [TextLines, JsonLines])
@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_each_sign_that_steers_is_written_as_its_escape(formatter, mark):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(Pseudonyms(b"key")))
    record = logging.makeLogRecord({"name": f"gendei.{mark}", "levelname": "INFO", "msg": "a%sb", "args": (mark,)})
    handler.emit(record)
    written = stream.getvalue()
    shown = json.loads(written)["message"] if formatter is JsonLines else written
    assert (mark in written.removesuffix("\n"), f"a{repr(mark)[1:-1]}b" in shown) == (False, True)


def test_words_with_accents_and_signs_of_other_scripts_stay_as_they_are():
    record = logging.makeLogRecord({"name": "gendei.x", "levelname": "INFO", "msg": "Café ☕ 日本 \\n"})
    assert json.loads(JsonLines(Pseudonyms(b"key")).format(record))["message"] == "Café ☕ 日本 \\n"
