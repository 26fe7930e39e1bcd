"""The staff's assistant: agenda, patients, conversations and tasks in plain Portuguese. What changes something is
shown first, and done after a person's yes."""
