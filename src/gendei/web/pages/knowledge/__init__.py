"""What the clinic knows, on staff's pages: entries, what nothing answered, and where entries come from."""
