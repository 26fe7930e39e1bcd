"""Work shared out: one task a conversation, one process a conversation, failures tried again; agenda events."""
