"""Simulated patients with goals, played against the real service, graded on what stands in the store and on what was
said: `gendei eval`. Tasks, personas and clinics are data, in `evals/`."""
