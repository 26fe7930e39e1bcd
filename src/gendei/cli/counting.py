"""How many of something, as the commands print it."""


def counted(count: int, single: str, several: str = "") -> str:
    """ "1 retry", "2 retries". several: where it is not `one` with an s."""
    return f"{count} {single if count == 1 else several or f'{single}s'}"
