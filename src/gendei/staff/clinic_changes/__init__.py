"""Changes of a clinic's data, field by field: with a history, undone, merged, and in agreement with its file."""
