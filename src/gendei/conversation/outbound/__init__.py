"""What leaves: in order, when it may, retried by the kind of failure, and what became of it."""
