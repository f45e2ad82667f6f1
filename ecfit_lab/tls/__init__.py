"""TLS clients, measured in one way: servers, recorded connections, and the cost of each client."""
