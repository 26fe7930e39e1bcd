"""The files of both sides: fetched, checked, kept."""
