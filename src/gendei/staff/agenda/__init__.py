"""The agenda as staff see and change it."""
