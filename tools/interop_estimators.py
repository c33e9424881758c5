#!/usr/bin/env python3
"""Checks that models of tf.estimator go on training where the other library left them, both ways.

  interop_estimators.py              by the Python of an environment with TensorFlow 2.15, as `./do interop` does
  interop_estimators.py golden       writes tests/golden/models/estimator: what TensorFlow left, and how it went on
  interop_estimators.py STEP DIR     one side's part of it: begin, or go_on
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "models" / "estimator"
PYTHON = ROOT / "python"
RILL = {"PYTHONPATH": f"{PYTHON}:{PYTHON / 'compat'}", "PATH": "/usr/bin:/bin"}
TENSORFLOW = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
FEATURES = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
LABELS = (FEATURES.sum(axis=1) > 1).astype(np.int32)


def tensorflow():
    """Whichever TensorFlow there is."""
    import tensorflow as tf
    if hasattr(tf, "compat") and not hasattr(tf, "Session"):
        tf = tf.compat.v1
        tf.disable_v2_behavior()
    return tf


def model_fn(features, labels, mode):
    """Two layers, trained with momentum, with batch norms between them: slots and averages are saved, too."""
    tf = tensorflow()
    training = mode == tf.estimator.ModeKeys.TRAIN
    start = tf.constant_initializer([[0.5, -0.5, 0.25], [0.125, 0.75, -0.25]])
    hidden = tf.layers.dense(features["x"], 3, tf.nn.relu, use_bias=False, kernel_initializer=start, name="hidden")
    hidden = tf.layers.batch_normalization(hidden, training=training, momentum=0.5, name="norm")
    logits = tf.layers.dense(hidden, 2, kernel_initializer=tf.constant_initializer(0.3), name="logits")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"probabilities": tf.nn.softmax(logits)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, tf.train.get_global_step())
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def input_fn():
    return tensorflow().data.Dataset.from_tensor_slices(({"x": FEATURES}, LABELS)).batch(3)


def estimator(folder):
    return tensorflow().estimator.Estimator(model_fn, str(folder))


def begin(folder):
    estimator(folder).train(input_fn)


def go_on(folder):
    """Everything that can be told of the model after more training."""
    model = estimator(folder)
    before = model.evaluate(input_fn)
    model.train(input_fn)
    found = {name: np.asarray(model.get_variable_value(name)).tolist() for name in model.get_variable_names()}
    evaluated = {name: float(value) for name, value in model.evaluate(input_fn).items()}
    predicted = [row["probabilities"].tolist() for row in model.predict(input_fn)]
    return {"before": {name: float(value) for name, value in before.items()}, "variables": found,
            "evaluated": evaluated, "predicted": predicted}


def run(python, environment, step, folder):
    printed = subprocess.run([python, __file__, step, folder], env=environment, check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    return json.loads(printed.splitlines()[-1]) if step == "go_on" else None


def complaint(got, want):
    """What differs between two results of go_on, or None."""
    try:
        for part in want:
            if isinstance(want[part], dict):
                assert sorted(got[part]) == sorted(want[part]), sorted(got[part])
                for name in want[part]:
                    np.testing.assert_allclose(got[part][name], want[part][name], rtol=1e-3, atol=1e-5, err_msg=name)
            else:
                np.testing.assert_allclose(got[part], want[part], rtol=1e-3, atol=1e-5)
    except AssertionError as error:
        return str(error)[:300]
    return None


def write_golden():
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        begin(folder)
        for name in ["checkpoint", *(f"model.ckpt-2.{end}" for end in ("index", "data-00000-of-00001"))]:
            shutil.copy(pathlib.Path(folder) / name, GOLDEN)
        (GOLDEN / "went_on.json").write_text(json.dumps(go_on(folder)))


def main():
    if sys.argv[1:] == ["golden"]:
        write_golden()
        return 0
    if len(sys.argv) == 3:
        folder = pathlib.Path(sys.argv[2])
        print(json.dumps({"begin": begin, "go_on": go_on}[sys.argv[1]](folder)))
        return 0
    rill, sides = ROOT / ".venv" / "bin" / "python", {}
    sides["TensorFlow"], sides["Rill"] = (sys.executable, TENSORFLOW), (rill, RILL)
    failed = 0
    for first, second in (("TensorFlow", "Rill"), ("Rill", "TensorFlow")):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as alone:
            for place in (folder, alone):
                run(*sides[first], "begin", place)
            wrong = complaint(run(*sides[second], "go_on", folder), run(*sides[first], "go_on", alone))
            print("FAILED" if wrong else "ok", f"estimator of {first} goes on in {second}", wrong or "", flush=True)
            failed += wrong is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
