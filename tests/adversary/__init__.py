"""A language model that does its worst against the real receptionist, desk and store; what must hold all the same."""
