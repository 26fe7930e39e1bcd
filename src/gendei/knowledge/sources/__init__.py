"""Files that a clinic's knowledge is brought from: their text, and the entries that it proposes."""
