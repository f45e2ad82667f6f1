"""A configuration built: compilers, images for the targets, and what is read from images."""
