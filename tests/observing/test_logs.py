"""Log lines without anybody's words, whoever writes them."""

import asyncio
import io
import json
import logging

import pytest

from gendei.observing.logs import JsonLines, TextLines, worth_telling, write_logs
from gendei.observing.subject import Pseudonyms, about

PSEUDONYMS = Pseudonyms(b"key")
WORDS = "quero falar da minha consulta, +5511999990001"


@pytest.fixture
def lines():
    """What two formatters make of every record: (JSON, text)."""
    root = logging.getLogger()
    handlers = [logging.StreamHandler(io.StringIO()) for _ in range(2)]
    for handler, formatter in zip(handlers, (JsonLines(PSEUDONYMS), TextLines(PSEUDONYMS)), strict=True):
        handler.setFormatter(formatter)
        root.addHandler(handler)
    yield lambda: tuple(handler.stream.getvalue() for handler in handlers)
    for handler in handlers:
        root.removeHandler(handler)


def test_a_library_that_quotes_what_it_was_given_is_told_by_its_place_only(lines):
    logging.getLogger("some.library").warning("could not parse %s", WORDS)
    as_json, as_text = lines()
    assert json.loads(as_json)["message"].startswith("(at test_logs.py:")
    assert (WORDS in as_json, WORDS in as_text) == (False, False)


def test_an_exception_is_its_type_and_its_places(lines):
    try:
        raise ValueError(WORDS)
    except ValueError:
        logging.getLogger("gendei.anything").exception("it failed")
    as_json, as_text = lines()
    told = json.loads(as_json)
    assert (told["message"], told["error"], len(told["places"])) == ("it failed", "ValueError", 1)
    assert (WORDS in as_text, "ValueError: test_logs.py:" in as_text) == (False, True)


async def test_a_task_that_fails_unseen_does_not_tell_its_words(lines):
    loop = asyncio.get_running_loop()
    loop.default_exception_handler({"message": f"Task {WORDS}", "exception": ValueError(WORDS)})
    as_json, as_text = lines()
    assert (json.loads(as_json)["error"], WORDS in as_json + as_text) == ("ValueError", False)


async def test_a_line_is_about_the_conversation_of_its_task_and_of_no_other(lines):
    async def task():
        about("aurora", "aurora/+5511999990001")
        logging.getLogger("gendei.anything").warning("inside")

    await asyncio.create_task(task())
    logging.getLogger("gendei.anything").warning("outside")
    inside, outside = (json.loads(line) for line in lines()[0].splitlines())
    known_as = PSEUDONYMS.of("aurora/+5511999990001")
    assert (inside["clinic"], inside["conversation"], "clinic" in outside) == ("aurora", known_as, False)
    assert f"inside [aurora {known_as}]" in lines()[1]


PLACES = {
    "ours": ("gendei.anything", "/x/gendei/anything.py", logging.INFO, True),
    "uvicorn's start": ("uvicorn.error", "/x/uvicorn/server.py", logging.INFO, True),
    "uvicorn's lifespan": ("uvicorn.error", "/x/uvicorn/lifespan/on.py", logging.INFO, True),
    "a page that was opened": ("uvicorn.error", "/x/uvicorn/protocols/websockets/a.py", logging.INFO, False),
    "its connection": ("uvicorn.error", "/x/websockets/legacy/server.py", logging.INFO, False),
    "a library": ("some.library", "/x/library.py", logging.INFO, False),
    "a library's warning": ("some.library", "/x/library.py", logging.WARNING, True),
    "a connection's failure": ("uvicorn.error", "/x/uvicorn/protocols/websockets/a.py", logging.ERROR, True),
}


@pytest.mark.parametrize(("name", "path", "level", "told"), PLACES.values(), ids=PLACES)
def test_libraries_tell_only_what_is_wrong_and_no_line_is_of_each_page(name, path, level, told):
    assert worth_telling(logging.LogRecord(name, level, path, 1, "x", None, None)) is told


def test_what_is_not_worth_telling_is_not_written(capsys):
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        write_logs("INFO", as_json=False, pseudonyms=PSEUDONYMS)
        logging.getLogger("some.library").info("of each request")
        logging.getLogger("gendei.anything").info("of ours")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    written = capsys.readouterr().err
    assert ("of ours" in written, "some.library" in written) == (True, False)
