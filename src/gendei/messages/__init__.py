"""Messages, replies, preferences and turns: the words that receptionist, conversation, channels and pages share."""
