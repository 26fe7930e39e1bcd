"""A file in the body of a request, as it is and never longer than any that may be sent."""

from starlette.requests import Request

from gendei.conversation.files.clinic_files import LARGEST_OF_ALL, Fault, FileRefused


async def uploaded(request: Request) -> bytes:
    """The body. Raises FileRefused as soon as it is longer than any file that is taken."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST_OF_ALL:
            raise FileRefused(Fault.TOO_LARGE)
    return bytes(content)
