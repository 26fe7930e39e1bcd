"""What staff, programs and assistants can do in a clinic, each thing defined once (docs/decisions/0011-commands.md)."""
