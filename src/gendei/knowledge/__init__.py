"""A clinic's knowledge: entries that staff approved, found by patients' words; questions that nothing answers."""
