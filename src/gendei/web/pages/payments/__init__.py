"""Deposits, for who manages the clinic."""
