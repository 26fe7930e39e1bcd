"""What arrives: made durable, once, before it is acknowledged."""
