"""Conversations that are followed while they run: the web site's chat, and live calls."""
