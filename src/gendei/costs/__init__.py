"""What each clinic's days cost: a ledger for any kind of cost, and the prices and sums of language models."""
