"""What clinic staff do: sign in, work the inbox and the agenda, look at patients and numbers. The pages, the JSON API
and the command all call this package; it holds the rights, and it writes the audit."""
