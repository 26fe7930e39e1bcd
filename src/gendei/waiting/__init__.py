"""The waiting list: who waits for which times, what freed time is offered to whom, and the yes that books it."""
