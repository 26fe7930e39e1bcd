"""/settings: the clinic's data on pages that are made of the fields of its file."""
