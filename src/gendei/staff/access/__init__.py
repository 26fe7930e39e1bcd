"""Who may come in: users, passwords, sessions, tokens of programs."""
