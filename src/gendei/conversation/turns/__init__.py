"""Who works on a conversation, when, and what one turn leaves behind."""
