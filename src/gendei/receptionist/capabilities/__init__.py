"""What guided says and asks of what a clinic may have beside its agenda: health plans, the waiting list, the survey
after a visit, knowledge of its own, deposits."""
