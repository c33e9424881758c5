"""The `rill` command of a wheel: hands over to the program that lies in the package."""

import os
import sys


def main(*first):
    os.environ.setdefault("RILL_PYTHON", sys.executable)
    program = os.path.join(os.path.dirname(__file__), "bin", "rill")
    os.execv(program, [program, *first, *sys.argv[1:]])


def freeze_graph():
    """TensorFlow's freeze_graph is `rill freeze`."""
    main("freeze")
