"""The agenda's page."""
