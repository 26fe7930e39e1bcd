"""Is a file what it claims to be: its size, its hash, and its type by its first bytes. Pure."""

import base64
import binascii
import hmac
from hashlib import sha256

from gendei.conversation.files.media import MediaRefused
from gendei.messages.message import MessageType

HEAD_BYTES = 512
"""How much of a file tells its type."""

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"OggS", "audio/ogg"),
    (0, b"#!AMR", "audio/amr"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"\xff\xf2", "audio/mpeg"),
    (0, b"\xff\xf1", "audio/aac"),
    (0, b"\xff\xf9", "audio/aac"),
    (4, b"ftyp", "video/mp4"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)
_FAMILIES = {
    MessageType.IMAGE: frozenset({"image/jpeg", "image/png", "image/webp", "image/gif"}),
    MessageType.STICKER: frozenset({"image/webp"}),
    MessageType.AUDIO: frozenset({"audio/ogg", "audio/amr", "audio/mpeg", "audio/aac", "audio/mp4"}),
    MessageType.VIDEO: frozenset({"video/mp4", "video/3gpp"}),
}
_OOXML = "application/vnd.openxmlformats-officedocument."
_CONTAINERS = {
    "application/zip": (
        f"{_OOXML}wordprocessingml.document",
        f"{_OOXML}spreadsheetml.sheet",
        f"{_OOXML}presentationml.presentation",
    ),
    "application/x-ole-storage": ("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"),
}
"""Office documents are one of two containers inside: there the label says which kind of document it is."""
_MARKUP = (b"<html", b"<!doctype", b"<script", b"<svg", b"<?xml", b"<iframe")


def content_type(kind: MessageType, label: str | None, head: bytes) -> str:
    """The type that a file is stored under, by its first bytes; raises MediaRefused where those are not of a type that
    messages of `kind` carry. The label never makes a file something else: it only tells apart what looks the same."""
    plain = (label or "").partition(";")[0].strip().lower()
    found = type_of(head, plain)
    if kind in _FAMILIES:
        if found not in _FAMILIES[kind]:
            raise MediaRefused(f"the file is no {kind}: it looks like {found or 'nothing known'}")
        return found
    if found in _CONTAINERS:
        if plain not in _CONTAINERS[found]:
            raise MediaRefused(f"the document is labelled {plain[:80] or 'nothing'} but looks like {found}")
        return plain
    if found is None:
        if not _is_text(head):
            raise MediaRefused("the document is of no type that is taken")
        return "text/plain"
    if found != "application/pdf" and plain == "application/pdf":
        raise MediaRefused(f"the document is labelled {plain} but looks like {found}")
    return found


def check_hash(expected: str | None, digest: bytes) -> None:
    """Raises MediaRefused where the provider told another SHA-256 than `digest`; hex and base64 are both in use."""
    if expected is None:
        return
    told = _decoded(expected.strip())
    if told is None or not hmac.compare_digest(told, digest):
        raise MediaRefused("the file is not the one that was announced: its SHA-256 differs")


def _decoded(text: str) -> bytes | None:
    """The 32 bytes that a hash in hex or base64 stands for."""
    try:
        told = bytes.fromhex(text) if len(text) == 2 * sha256().digest_size else base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    return told if len(told) == sha256().digest_size else None


def type_of(head: bytes, label: str | None = None) -> str | None:
    """What a file is by its first bytes, None where they tell nothing. `label`: what it is said to be."""
    plain = (label or "").partition(";")[0].strip().lower()
    found = next((kind for start, magic, kind in _SIGNATURES if head.startswith(magic, start)), None)
    if found == "image/webp" and not head.startswith(b"RIFF"):
        return None
    if found == "video/mp4":
        return _of_mp4(plain, head[8:12])
    return found


def _of_mp4(label: str, brand: bytes) -> str:
    """One container holds films and sound; the brand tells, and else the label."""
    if brand.startswith(b"3g"):
        return "video/3gpp"
    if brand.startswith(b"M4A") or label in {"audio/mp4", "audio/m4a", "audio/x-m4a", "audio/aac"}:
        return "audio/mp4"
    return "video/mp4"


def _is_text(head: bytes) -> bool:
    """Words in UTF-8 or Latin-1, without control characters, and no markup that a browser would run."""
    if not head or any(byte < 32 and byte not in b"\t\n\r\f" for byte in head):
        return False
    return not head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_MARKUP)
