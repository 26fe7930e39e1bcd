"""The receptionist on a language model's API: reaching it, what a turn costs, and the checks of what it says."""
