"""Runs programs eagerly and tells what they computed, in a form that can be stored as JSON.

The programs are those of tests/programs and of this folder: functions whose names begin with `program_`. They run
in their order in one process, under TensorFlow and under Rill. What a graph's run would fetch is looked at.

  run.py FILE...    prints a line of JSON for each file: {"file": ..., "programs": {name: answer}}
"""
import contextlib
import io
import json
import pathlib
import runpy
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import program  # noqa: E402

SEED = 7


def values(tf, item):
    """What a run would fetch."""
    if item is None:  # an operation's result
        return None
    if isinstance(item, dict):
        return {key: values(tf, part) for key, part in item.items()}
    if isinstance(item, tf.SparseTensor):
        return values(tf, (item.indices, item.values, item.dense_shape))
    if isinstance(item, tf.IndexedSlices):
        return values(tf, [part for part in (item.values, item.indices, item.dense_shape) if part is not None])
    if hasattr(item, "nested_row_splits"):
        return values(tf, [item.flat_values, *item.nested_row_splits])
    if isinstance(item, (list, tuple)):
        return [values(tf, part) for part in item]
    return item.numpy()


def answer_of(tf, function):
    """What a program computes, or the class and the message of what it raises."""
    tf.keras.backend.clear_session()
    tf.set_random_seed(SEED)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            steps = function()
        found = {}
        for i, step in enumerate(steps if isinstance(steps, list) else [steps]):
            for key, item in step.items():
                item = values(tf, item) if program.is_fetch(tf, item) else item
                found[f"{key}@{i}" if i else key] = program.describe(item)
        json.dumps(found)
        return {"values": found}
    except Exception as error:
        return {"error": [type(error).__name__, str(error)]}


def load(path):
    """{name: function} of the programs in a file."""
    found = runpy.run_path(str(path))
    return {name.removeprefix("program_"): function for name, function in found.items() if name.startswith("program_")}


def answers(tf, path):
    """{name: answer} of the programs in a file; none where the file as a whole belongs to graphs."""
    try:
        programs = load(path)
    except Exception as error:
        return {"": {"error": [type(error).__name__, str(error)]}}
    return {name: answer_of(tf, function) for name, function in programs.items()}


def main():
    import tensorflow as tf
    tf.logging.set_verbosity(tf.logging.FATAL)
    tf.enable_eager_execution()
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        print(json.dumps({"file": path.stem, "programs": answers(tf, path)}), flush=True)


if __name__ == "__main__":
    main()
