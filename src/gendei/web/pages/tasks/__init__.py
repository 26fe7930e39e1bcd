"""Tasks: their page, and where other pages show them."""
