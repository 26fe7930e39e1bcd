"""The demo's phone."""
