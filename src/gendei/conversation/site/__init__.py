"""Patients on the clinic's own web site."""
