"""A clinic for programs: the Model Context Protocol, for the assistants that staff use themselves."""
