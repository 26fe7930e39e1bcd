"""What staff offer to tap."""

from collections.abc import Sequence

from gendei.messages.limits import MAX_ROW_DESCRIPTION, distinct_titles, fit, one_line
from gendei.messages.replies import Option


def staff_options(offered: Sequence[tuple[str, str]], limit: int) -> tuple[Option, ...]:
    """(title, description) pairs within WhatsApp's limits, all titles different; `limit`: of a title. Their ids mean
    nothing to the bot, which reads the title of what was tapped."""
    titles = distinct_titles((title for title, _ in offered), limit)
    return tuple(
        Option(f"staff-{place}", title, fit(one_line(description), MAX_ROW_DESCRIPTION))
        for place, (title, (_, description)) in enumerate(zip(titles, offered, strict=True), start=1)
    )
