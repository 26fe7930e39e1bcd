"""Conversations that went wrong, as tests of their clinic."""
