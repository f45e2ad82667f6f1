"""The command `ecfit`, also as `python -m ecfit`."""

from __future__ import annotations

import os
import sys


def start() -> None:
    """Entry point; Ctrl-C has its answer while the modules of the command line are read, too."""
    try:
        from ecfit.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("ecfit: interrupted\n")
        os._exit(130)
    main()


if __name__ == "__main__":
    start()
