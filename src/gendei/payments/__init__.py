"""Deposits by PIX: codes, the ledger, charges, and the port of a payment provider."""
