"""What connecting a number asks of the providers: implements `gendei.staff.connecting.ports`."""
