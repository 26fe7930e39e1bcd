"""Connecting a number to a clinic: a ledger of steps, each done once, that goes on after a crash or a week."""
