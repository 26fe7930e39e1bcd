"""Speaking with the receptionist live: the SDK's voice pipeline over our own turn, and a browser's microphone."""
