"""Deposits for who manages a clinic: what came and went, and what staff do about it."""
