"""A learned ear for short messages in Portuguese: what kind of message it is, and whether somebody is in danger.

It is a linear model over words and runs of letters, trained on sentences of writers who saw neither this code nor its
lists (`training/`). It adds to the rules of the receptionist and takes nothing away from them: an alarm where they
heard none, and a wish where they understood nothing. Where it is not sure, the patient is asked.
"""
