"""Connecting numbers in the browser."""
