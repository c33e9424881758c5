"""What is said of a name that is not there: TensorFlow has it and Rill not yet, it was renamed, or nobody knows it."""

import functools
import pathlib


@functools.cache
def old_names():
    """Names of TensorFlow before 1.0, below `tf`, and those that took their place."""
    lines = pathlib.Path(__file__).with_name("_old_names.tsv").read_text().splitlines()
    return dict(line.split("\t") for line in lines)


def _why(path, is_tensorflows):
    if is_tensorflows:
        return "Rill does not have it yet"
    if path in old_names():
        return (f"it is tf.{old_names()[path]} since TensorFlow 1.0 (`rill upgrade` rewrites programs that were "
                "written for older ones)")
    return None


def error(module, path, is_tensorflows):
    """The AttributeError for a path below `tf`; where the reason is known, Python does not guess another name."""
    name = path.rpartition(".")[2]
    text = f"module '{module}' has no attribute '{name}'"
    why = None if name.startswith("__") else _why(path, is_tensorflows)
    if why is None:
        return AttributeError(text)
    return AttributeError(f"{text}: {why}", name=name, obj=None)
