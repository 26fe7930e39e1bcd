"""What patients are shown and can tap, and the question that waits for their yes."""
