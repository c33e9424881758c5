#!/usr/bin/env python3
"""Saves objects with functions under Rill, for TensorFlow 2 to load (tools/interop_tf2.py).

  interop_objects.py FOLDER

Writes FOLDER/NAME/model and FOLDER/NAME/calls.json: calls of signatures with what Rill's own session gives.
Run by Rill's Python, as `./do interop models` does.
"""
import json
import pathlib
import sys

import numpy as np
import tensorflow as tf  # python/compat: Rill

from model_cases.parts import call, ramp, waves
from model_cases.reading import call_signature

DEFAULT = "serving_default"


def spec(shape=(), dtype=tf.float32, name="x"):
    return tf.TensorSpec(shape, dtype, name)


def variable(value, **options):
    return tf.Variable(value, use_resource=True, **options)


def with_function(function, *specs, **parts):
    """A module with parts and one function."""
    module = tf.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    module.function = tf.function(function, input_signature=specs)
    return module, module.function


def save_plain():
    return *with_function(lambda x: {"y": x * 2.0 + 1.0}, spec([None])), [call(x=ramp(3))]


def save_variables():
    w, b = variable(ramp(3, 2)), variable(ramp(2), name="bias")
    more = [variable(2.0), variable(3.0)]
    module, function = with_function(lambda x: {"y": (tf.matmul(x, w) + b) * more[0] + more[1]}, spec([None, 3]),
                                     w=w, b=b, more=more)
    return module, function, [call(x=waves(2, 3))]


def save_types():
    names = "float16 float64 int8 int16 int32 int64 uint8 bool complex64".split()
    values = [variable(np.array([0, 1]).astype(name)) for name in names]
    module, function = with_function(lambda x: {"x": x, **{name: tf.reverse(value, [0])
                                                           for name, value in zip(names, values)}}, spec(),
                                     values=values)
    return module, function, [call(x=np.float32(1))]


def save_nested_functions():
    twice = tf.function(lambda x: x * 2.0)
    return *with_function(lambda x: {"y": twice(twice(x)) + twice(x)}, spec([None])), [call(x=ramp(3))]


def save_loop():
    def double(x):
        steps, y = tf.while_loop(lambda i, y: tf.reduce_max(y) < 50.0, lambda i, y: (i + 1, y * 2.0),
                                 [tf.constant(0), x])
        return {"steps": steps, "y": y}
    return *with_function(double, spec([3])), [call(x=ramp(3) + 2)]


def save_branches():
    choose = lambda x: {"y": tf.cond(x > 0.0, lambda: tf.sqrt(x), lambda: -x)}  # noqa: E731
    return *with_function(choose, spec()), [call(x=np.float32(v)) for v in (4, -3)]


def save_signatures():
    w = variable(ramp(2, 2))
    module, first = with_function(lambda x: {"y": tf.matmul(x, w)}, spec([None, 2]), w=w)
    module.pair = tf.function(lambda a, b: {"sum": a + b, "product": a * b},
                              input_signature=[spec([2], name="a"), spec([2], name="b")])
    return module, {DEFAULT: first, "pair": module.pair}, [call(x=waves(1, 2)), call("pair", a=ramp(2), b=waves(2))]


def save_texts():
    return *with_function(lambda x: {"upper": tf.strings.upper(x), "length": tf.strings.length(x)},
                          spec([None], tf.string)), [call(x=np.array([b"one", b"two words"], object))]


def save_keras():
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(4, activation="relu", input_shape=(3,)), layers.BatchNormalization(),
                                 layers.Dense(2)])
    return model, None, [waves(2, 3)]


def save_keras_recurrent():
    layers = tf.keras.layers
    return tf.keras.Sequential([layers.LSTM(3, input_shape=(4, 2)), layers.Dense(2)]), None, [waves(2, 4, 2)]


def save_case(function, folder):
    path = str(folder / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.keras.backend.set_session(session)
        saved, signatures, calls = function()
        session.run(tf.global_variables_initializer())
        if signatures is None:  # a model of Keras
            saved.set_weights([waves(*weight.shape) for weight in saved.get_weights()])
            saved.save(path, save_format="tf")
            calls = [call(**{f"{saved.layers[0].name}_input": x}) for x in calls]
        else:
            tf.saved_model.save(saved, path, signatures=signatures)
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.loader.load(session, ["serve"], path)
        wanted = [call_signature(session, graph.signature_def[c["signature"]], c["feeds"]) for c in calls]
    (folder / "calls.json").write_text(json.dumps({"calls": calls, "wanted": wanted}))


def main(root):
    for name, function in list(globals().items()):
        if not name.startswith("save_") or name == "save_case":
            continue
        folder = root / name.removeprefix("save_")
        folder.mkdir(parents=True)
        try:
            save_case(function, folder)
        except Exception as error:
            (folder / "error").write_text(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
