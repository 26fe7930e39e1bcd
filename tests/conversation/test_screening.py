"""A file is what its first bytes say, or it is not taken."""

import base64
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.conversation.files.media import LARGEST, MediaRefused
from gendei.conversation.files.screening import check_hash, content_type
from gendei.messages.message import MessageType

PHOTO = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 8
VOICE = b"OggS" + b"\x00" * 60
PDF = b"%PDF-1.7 laudo"
OOXML = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("kind", "label", "head", "found"),
    [
        (MessageType.IMAGE, "image/png", b"\x89PNG\r\n\x1a\n", "image/png"),
        (MessageType.IMAGE, "image/jpeg", b"\x89PNG\r\n\x1a\n", "image/png"),
        (MessageType.STICKER, "image/webp", b"RIFF....WEBPVP8 ", "image/webp"),
        (MessageType.AUDIO, "audio/mp4", b"\x00\x00\x00\x20ftypisom", "audio/mp4"),
        (MessageType.AUDIO, "audio/mpeg", b"ID3\x04", "audio/mpeg"),
        (MessageType.AUDIO, "audio/amr", b"#!AMR\n", "audio/amr"),
        (MessageType.VIDEO, "video/mp4", b"\x00\x00\x00\x20ftypmp42", "video/mp4"),
        (MessageType.VIDEO, "video/3gpp", b"\x00\x00\x00\x20ftyp3gp4", "video/3gpp"),
        (MessageType.DOCUMENT, "application/pdf", PDF, "application/pdf"),
        (MessageType.DOCUMENT, "application/octet-stream", PDF, "application/pdf"),
        (MessageType.DOCUMENT, OOXML, b"PK\x03\x04", OOXML),
        (MessageType.DOCUMENT, "application/msword", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword"),
        (MessageType.DOCUMENT, "image/jpeg", PHOTO[:512], "image/jpeg"),
        (MessageType.DOCUMENT, "text/plain", "Olá, anotações".encode(), "text/plain"),
    ],
)
def test_a_file_has_the_type_that_its_first_bytes_tell(kind: MessageType, label: str, head: bytes, found: str) -> None:
    assert content_type(kind, label, head) == found


@pytest.mark.parametrize(
    ("kind", "label", "head"),
    [
        (MessageType.IMAGE, "image/svg+xml", b"<svg onload=alert(1)>"),
        (MessageType.STICKER, "image/webp", PHOTO[:512]),
        (MessageType.AUDIO, "audio/ogg", b"\x00\x00\x00\x20ftypisom"),
        (MessageType.VIDEO, "video/mp4", VOICE),
        (MessageType.DOCUMENT, "application/pdf", PHOTO[:512]),
        (MessageType.DOCUMENT, "application/pdf", b"MZ\x90\x00"),
        (MessageType.DOCUMENT, "text/plain", b"\x7fELF\x02"),
        (MessageType.DOCUMENT, "text/html", b"  <!DOCTYPE html><script>"),
        (MessageType.DOCUMENT, "text/plain", b"\xef\xbb\xbf<html>"),
        (MessageType.DOCUMENT, "application/zip", b"PK\x03\x04"),
        (MessageType.DOCUMENT, None, b""),
    ],
)
def test_a_file_that_looks_like_something_else_is_refused(kind: MessageType, label: str | None, head: bytes) -> None:
    with pytest.raises(MediaRefused):
        content_type(kind, label, head)


@given(st.sampled_from(sorted(LARGEST)), st.text() | st.none(), st.binary(max_size=600))
def test_whatever_the_bytes_the_answer_is_a_type_or_a_refusal(
    kind: MessageType, label: str | None, head: bytes
) -> None:
    try:
        found = content_type(kind, label, head)
    except MediaRefused:
        return
    assert "html" not in found
    assert "svg" not in found


def test_a_hash_is_read_in_hex_and_in_base64() -> None:
    digest = sha256(PHOTO).digest()
    for told in (digest.hex(), digest.hex().upper(), base64.b64encode(digest).decode(), None):
        check_hash(told, digest)
