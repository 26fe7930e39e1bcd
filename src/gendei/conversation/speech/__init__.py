"""Voice notes as parts of a conversation; speech itself is in gendei.voice."""
