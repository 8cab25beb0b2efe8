"""The embedded service on a port of this machine, for as long as a test needs it."""

import socket
import threading
from contextlib import contextmanager

import uvicorn

from resources.embedded import create_app
from tests.polling import eventually


@contextmanager
def served(settings):
    """The address of a service with these settings."""
    config = uvicorn.Config(create_app(settings), log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        eventually(lambda: server.started, what="the service listens")
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=10)
