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


def inspect_checkpoint():
    """TensorFlow's inspect_checkpoint is `rill show`, with its names of options."""
    renamed = {"--file_name": None, "--tensor_name": "--tensor", "--all_tensors": "--all",
               "--all_tensor_names": "--all"}
    words = []
    for word in sys.argv[1:]:
        name, equals, value = word.partition("=")
        words += [renamed.get(name, name)] if name in renamed else [name] if not equals else [word]
        words += [value] if equals and name in renamed else []
    sys.argv[1:] = [word for word in words if word]
    main("show")
