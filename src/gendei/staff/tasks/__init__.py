"""The clinic's follow-ups."""
