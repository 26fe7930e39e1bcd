"""The clinic's templates at WhatsApp, as staff see and make them."""
