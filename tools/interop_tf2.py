#!/usr/bin/env python3
"""Loads SavedModels as programs of TensorFlow 2 do, for tools/interop_models.py.

  interop_tf2.py FOLDER OBJECTS    FOLDER holds NAME/model; their signatures are called as the questions of
                                   tests/golden/models/saved_models.json say. OBJECTS holds what
                                   tools/interop_objects.py wrote. Prints {NAME: what differs}.
"""
import json
import os
import pathlib
import sys

os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402  (reads the environment when it is imported)

import model_goldens  # noqa: E402
from model_cases import reading  # noqa: E402


def called(model, call):
    """The outputs of a signature, in parts where they are sparse."""
    signature = model.signatures[call["signature"]]
    feeds = {name: tf.constant(reading.restored(value)) for name, value in call["feeds"].items()}
    return {name: [reading.described(part.numpy()) for part in (
        [value.indices, value.values, value.dense_shape] if isinstance(value, tf.SparseTensor) else [value])]
        for name, value in sorted(signature(**feeds).items())}


def difference(folder, found):
    question = found["question"]
    if question["steps"]:  # of a session
        return None
    try:
        model = tf.saved_model.load(str(folder / "model"), question["tags"])
        got = [called(model, call) for call in question["calls"]]
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:500]}"
    return reading.difference(json.loads(json.dumps(got)), found["answer"]["calls"])


def object_difference(folder):
    """Of a model with objects, whose variables and functions TensorFlow 2 finds again."""
    if (folder / "error").exists():
        return (folder / "error").read_text()
    stored = json.loads((folder / "calls.json").read_text())
    try:
        model = tf.saved_model.load(str(folder / "model"))
        got = [called(model, call) for call in stored["calls"]]
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:500]}"
    return reading.difference(json.loads(json.dumps(got)), stored["wanted"])


def main(folder, objects):
    stored = json.loads((model_goldens.GOLDEN / "saved_models.json").read_text())
    found = {name: difference(folder / name, found) for name, found in stored.items()}
    found |= {f"objects/{path.name}": object_difference(path) for path in sorted(objects.iterdir())}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
