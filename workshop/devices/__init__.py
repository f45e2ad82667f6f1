"""What tests of packages, gateway and TLS share."""
