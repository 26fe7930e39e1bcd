"""What staff found wrong, as tests."""
