"""Whose turn it is: the bot's, one at a time, or a person's; and what a turn leaves behind."""
