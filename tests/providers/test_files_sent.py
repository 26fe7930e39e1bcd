"""Files that staff send, over each provider, against its stand-in on 127.0.0.1."""

import base64
from typing import Any

import pytest
from tests.providers.lines import Line

from gendei.messages.channels import Accepted, Permanent
from gendei.messages.message import MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import Option, Reply
from gendei.providers.stand_in.graph import Failure, GraphSimulator

CONTENT = {
    MessageType.IMAGE: ("image/jpeg", "foto.jpg", b"\xff\xd8\xff" + bytes(range(256))),
    MessageType.DOCUMENT: ("application/pdf", "preparo.pdf", b"%PDF-1.7" + bytes(range(256))),
    MessageType.AUDIO: ("audio/mpeg", "recado.mp3", b"ID3" + bytes(range(256))),
}


def carrying(kind: MessageType, *, captioned: bool = True) -> OutgoingMessage:
    mime_type, name, content = CONTENT[kind]
    media = OutgoingMedia(kind, "", mime_type, name, content=content, captioned=captioned)
    return OutgoingMessage("+5511999990001", None, Reply("Segue."), "ref", media=media)


def arrived(line: Line, kind: MessageType) -> tuple[bytes, dict[str, Any]]:
    """The file as the stand-in has it, and what came with it."""
    payload = line.stand_in.sent[-1].payload
    if isinstance(line.stand_in, GraphSimulator):
        return line.stand_in.uploads[payload[kind]["id"]], payload[kind]
    text = payload["media"] if line.channel.provider == "evolution" else payload[kind]
    return base64.b64decode(text.removeprefix(f"data:{CONTENT[kind][0]};base64,")), payload


@pytest.mark.parametrize("kind", CONTENT)
async def test_a_file_goes_whole_with_its_name_and_caption(line: Line, kind: MessageType):
    outcome = await line.provider.send(line.channel, carrying(kind))
    content, beside = arrived(line, kind)
    named = {beside.get("filename"), beside.get("fileName")} - {None} or {CONTENT[kind][1]}
    caption = None if kind is MessageType.AUDIO else "Segue."
    assert (isinstance(outcome, Accepted), content, beside.get("caption")) == (True, CONTENT[kind][2], caption)
    assert named == {CONTENT[kind][1]}


async def test_a_file_without_a_caption_goes_without_words(line: Line):
    await line.provider.send(line.channel, carrying(MessageType.IMAGE, captioned=False))
    assert "caption" not in arrived(line, MessageType.IMAGE)[1]


async def test_a_file_that_is_refused_is_not_sent_as_its_words(line: Line):
    line.stand_in.fail_next(Failure(status=400, code=131053))
    outcome = await line.provider.send(line.channel, carrying(MessageType.IMAGE))
    assert (isinstance(outcome, Permanent), [request.text for request in line.stand_in.sent]) == (True, [])


async def test_a_list_of_two_is_a_list_where_there_are_lists_and_numbered_text_elsewhere(line: Line):
    options = (Option("a", "Manhã", "8h às 12h"), Option("b", "Tarde", "13h às 18h"))
    reply = Reply("Quando?", options, "Ver turnos", as_list=True)
    await line.provider.send(line.channel, OutgoingMessage("+5511999990001", None, reply, "ref"))
    sent = line.stand_in.sent[-1]
    if line.channel.provider == "meta":
        assert (sent.list_label, sent.around) == ("Ver turnos", [("", "8h às 12h"), ("", "13h às 18h")])
    else:
        assert sent.text == "Quando?\n\n1. Manhã – 8h às 12h\n2. Tarde – 13h às 18h"
