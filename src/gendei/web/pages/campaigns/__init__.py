"""Campaigns, for who manages the clinic."""
