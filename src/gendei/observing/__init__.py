"""What is told of the running service to those who watch it: logs, traces and figures, never whose words they are."""
