"""A new clinic, step by step, beside a phone that talks to it."""
