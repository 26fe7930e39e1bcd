"""Conversations as staff list, read and lead them."""
