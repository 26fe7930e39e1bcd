"""uvicorn with limits for strangers: of connections, of heads and bodies of requests, and of frames of sockets."""
