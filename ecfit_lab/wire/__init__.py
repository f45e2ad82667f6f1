"""The TLS client on emulated boards with TCP/IP and Ethernet, beside chips and this machine."""
