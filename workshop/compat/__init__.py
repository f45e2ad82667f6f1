"""The interfaces of other libraries on ours, as their programs call them."""
