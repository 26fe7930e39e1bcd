"""How many of something, as the commands print it."""


def counted(count: int, one: str, several: str = "") -> str:
    """ "1 retry", "2 retries". several: where it is not `one` with an s."""
    return f"{count} {one if count == 1 else several or f'{one}s'}"
