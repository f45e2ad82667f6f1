"""TLS clients on the same scales: servers, recorded connections, what each costs."""
