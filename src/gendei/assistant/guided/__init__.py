"""The assistant without a language model: it knows the common errands by their words."""
