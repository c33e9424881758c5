#!/usr/bin/env python3
"""Writes python/rill/_v2_names.tsv: which names of tf.compat.v2 are TensorFlow 1's names of the same thing.

  v2_names.py      run by the Python of an environment with TensorFlow 2.15, whose two interfaces share their objects

A row is a name of version 2 and one of 1.15; names that came after 1.15 are left out. What has another argument list in
version 2 is in _v2_signatures.tsv, what is another class in _v2_classes.py.
"""
import functools
import inspect
import os
import pathlib
import types

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf  # noqa: E402
from tensorflow.python.util import tf_inspect  # noqa: E402

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "rill"
LATER = ("__internal__", "experimental.", "tpu.", "lite.", "mlir.", "types.", "quantization.", "profiler.", "raw_ops.",
         "math.special.", "keras.dtensor", "keras.saving", "keras.export", "keras.optimizers.legacy",
         "random.Generator", "random.Algorithm")
# In TensorFlow 1.15 both versions have the same classes; in 2.15 Keras has newer ones beside them.
SAME_IN_1_15 = ("keras.", "data.", "estimator.")
# Modules of version 2 that are Keras's.
KERAS_MODULES = ("initializers", "losses", "metrics", "optimizers")


def names(module, path=""):
    """Everything public below a module, as path and value."""
    for name in dir(module):
        value = getattr(module, name, None)
        full = f"{path}.{name}" if path else name
        if name.startswith("_") or value is None or full.startswith(LATER):
            continue
        if not isinstance(value, types.ModuleType):
            yield full, value
        elif value.__name__.startswith(("tensorflow", "keras")) and name not in ("v1", "v2") and full.count(".") < 6:
            yield from names(value, full)


def first_version(path, value, by_id, known):
    """TensorFlow 1's name of a value of version 2, or None."""
    if path.split(".")[0] in KERAS_MODULES and f"keras.{path}" in known:
        return f"keras.{path}"
    if path in known and path.startswith(SAME_IN_1_15):
        return path
    if isinstance(value, (bool, int, float, str)):
        return path if path in known else None
    same = [name for name in by_id.get(id(value), ()) if name in known]
    if path in same or path in known and arguments(value) == arguments(at(tf.compat.v1, path)) != []:
        return path
    return min(same, key=len, default=None)


def at(module, path):
    return functools.reduce(getattr, path.split("."), module)


def arguments(value):
    """The names of a function's arguments; none of what is a class, or cannot be asked."""
    is_function = callable(value) and not inspect.isclass(value)
    return list(tf_inspect.signature(value).parameters) if is_function else []


def main():
    known = {line.split("\t")[0] for line in (PACKAGE / "_surface.tsv").read_text().splitlines()}
    by_id = {}
    for path, value in names(tf.compat.v1):
        by_id.setdefault(id(value), []).append(path)
    rows = {path: first_version(path, value, by_id, known) for path, value in names(tf.compat.v2)}
    text = "".join(f"{path}\t{first}\n" for path, first in sorted(rows.items()) if first)
    (PACKAGE / "_v2_names.tsv").write_text(text)


if __name__ == "__main__":
    main()
