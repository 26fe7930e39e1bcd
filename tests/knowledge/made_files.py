"""Files as clinics have them, and as nobody should: made, so that none is kept in the repository."""

import zlib
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfWriter


def pdf(*pages: Sequence[str], stream: bytes | None = None) -> bytes:
    """A PDF with a line of text for each of a page's lines. stream: packed content of its one page instead."""
    contents = [zlib.compress(_written(lines)) for lines in pages] if stream is None else [stream]
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    font = 3 + 2 * len(contents)
    for content in contents:
        page = len(objects) + 1
        kids.append(b"%d 0 R" % page)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 %d 0 R >> >> >>" % (page + 1, font)
        )
        objects.append(b"<< /Length %d /Filter /FlateDecode >> stream\n%s\nendstream" % (len(content), content))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    made = BytesIO(b"%PDF-1.4\n")
    made.seek(0, 2)
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(made.tell())
        made.write(b"%d 0 obj\n%s\nendobj\n" % (number, each))
    begin = made.tell()
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    made.write(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows))
    made.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, begin))
    return made.getvalue()


def _written(lines: Sequence[str]) -> bytes:
    shown = [line.replace("\\", "\\\\").replace("(", r"\(").replace(")", r"\)") for line in lines]
    drawn = " ".join(f"({line}) Tj T*" for line in shown)
    return f"BT /F1 11 Tf 14 TL 50 800 Td {drawn} ET".encode("cp1252")


def encrypted(content: bytes, password: str) -> bytes:
    """The same PDF, which opens by a password alone."""
    writer = PdfWriter(clone_from=BytesIO(content))
    writer.encrypt(password, algorithm="AES-256")
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def bomb() -> bytes:
    """A PDF of some 100 kB that unpacks to 100 MB of drawing."""
    packer = zlib.compressobj(9)
    part = b"0 0 m 1 1 l S\n" * 100_000
    packed = b"".join(packer.compress(part) for _ in range(75)) + packer.flush()
    return pdf(stream=packed)
