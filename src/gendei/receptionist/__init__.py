"""The receptionist: one turn of a patient's conversation.

`answering` runs a turn, on a language model (`llm/`) or on the guided one (`guided/`). Both have the same agents
(`team`), tools (`tools/`), draft (`state`) and turn (`runtime`). `understanding/` reads what patients write, `offers/`
is what they are shown and say yes to, and `voice_notes` stands before all of it.
"""
