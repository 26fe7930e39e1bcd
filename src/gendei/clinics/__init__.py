"""Clinics as data: the file that operators write, what the store keeps of it, and all of them by id and number."""
