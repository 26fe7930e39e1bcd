"""The inbox: its list, the open conversation, the composer."""
