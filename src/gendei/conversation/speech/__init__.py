"""Voice notes and live words as parts of a conversation; speech itself is in gendei.voice."""
