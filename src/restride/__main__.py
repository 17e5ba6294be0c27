"""``python -m restride``: the command line tool."""

import sys

from restride.cli import main

if __name__ == "__main__":
    sys.exit(main())
