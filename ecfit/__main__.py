"""`python -m ecfit`: the command, where it is not on the path."""

from ecfit.cli import main

main()
