"""What banners and comments promise, read and as data; and the records of what is proved."""
