"""Gendei: a clinic's receptionist on WhatsApp. Start reading at docs/architecture.md."""
