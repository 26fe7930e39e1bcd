"""The clinic's templates at its provider: made, looked up, and written into the clinic."""
