"""What patients' words mean: for the guided receptionist, and for the yes that every booking takes."""
