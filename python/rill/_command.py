"""The `rill` command as Python's programs start it: that of a wheel lies in the package, a checkout's in bin/."""

import os
import sys


def program():
    """The path of the command."""
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (here, os.path.dirname(os.path.dirname(here))):
        path = os.path.join(folder, "bin", "rill")
        if os.path.exists(path):
            return path
    return "rill"


def main(*first):
    """Becomes the command."""
    os.environ.setdefault("RILL_PYTHON", sys.executable)
    os.execvp(program(), [program(), *first, *sys.argv[1:]])


def freeze_graph():
    """TensorFlow's freeze_graph is `rill freeze`."""
    main("freeze")
