"""C run on bounds: an integer is known by what it lies between, and by its modulus."""
