"""How the ear is trained (`python -m training`) and examined (`python -m training.exam`). See docs/ear.md."""
