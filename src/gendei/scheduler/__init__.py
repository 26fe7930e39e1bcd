"""What the clinic does by itself at its time: for each appointment what is due, and doing it once."""
