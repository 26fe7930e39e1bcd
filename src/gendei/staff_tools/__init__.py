"""What staff can ask of the service, as tools for models: typed, and never with a word about who asks."""
