"""The chat that a clinic puts on its own web site: one script, served by us."""
