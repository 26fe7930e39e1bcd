"""What is kept of a contact: conversation, history, addresses, wishes, tasks."""
