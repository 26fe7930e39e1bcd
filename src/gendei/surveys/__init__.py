"""Surveys after a visit: who was asked about which appointment, and what they answered."""
