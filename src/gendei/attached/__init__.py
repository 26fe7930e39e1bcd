"""MCP servers of the clinics' own, and their tools, as the receptionist may call them."""
