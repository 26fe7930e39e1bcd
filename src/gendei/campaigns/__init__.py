"""Campaigns: one message to patients who agreed to marketing, chosen by what the clinic knows, at a pace."""
