"""What waits, hangs or is over, for those who run the service."""
