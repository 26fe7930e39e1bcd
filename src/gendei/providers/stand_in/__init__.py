"""Meta's side, on this machine: its API and a patient's phone, for the demo, `gendei chat` and the evaluation."""
