"""SavedModels as estimators of TensorFlow 1 export them."""
import os
import shutil

import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import call, ramp, waves
from model_cases.saved_models import DEFAULT, question, serialized

export = tf.estimator.export


def offered(x, y):
    """What the model offers: of every kind."""
    scores = tf.concat([y, -y], 1)
    return {DEFAULT: export.ClassificationOutput(scores, tf.as_string(scores)),
            "scores": export.ClassificationOutput(scores), "regression": export.RegressionOutput(y),
            "predict": export.PredictOutput({"y": y, "twice": 2.0 * y})}


def model_fn(outputs=None, with_metrics=True):
    def fn(features, labels, mode):
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(ramp(3, 1)))
        y = tf.matmul(features["x"], w, name="y")
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, {"y": y}, export_outputs=outputs and outputs(features["x"], y))
        loss = tf.losses.mean_squared_error(labels, y)
        train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        metrics = {"mae": tf.metrics.mean_absolute_error(labels, y)} if with_metrics else None
        return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train_op, metrics)
    return fn


def exported(receivers, outputs=None, with_metrics=True, **options):
    """Trains a little and leaves nothing but the model."""
    estimator = tf.estimator.Estimator(model_fn(outputs, with_metrics), "training")
    rows = tf.estimator.inputs.numpy_input_fn({"x": np.float32(waves(4, 3))}, np.float32(ramp(4, 1)), batch_size=4,
                                              num_epochs=None, shuffle=False)
    estimator.train(rows, steps=3)
    path = estimator.experimental_export_all_saved_models("exports", receivers, **options)
    os.rename(path, "model")
    shutil.rmtree("training")
    shutil.rmtree("exports")


def raw():
    return export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 3], name="x")})()


def parsing():
    texts = tf.placeholder(tf.string, [None], name="input_example_tensor")
    found = tf.raw_ops.ParseExample(serialized=texts, names=tf.constant([], tf.string), sparse_keys=[],
                                    dense_keys=["x"], dense_defaults=[tf.zeros([0])], sparse_types=[],
                                    dense_shapes=[[3]])  # tf.io.parse_example makes a newer one in TensorFlow 2
    return export.ServingInputReceiver({"x": found[-1][0]}, {"examples": texts})


def supervised():
    x, y = tf.placeholder(tf.float32, [None, 3], name="x"), tf.placeholder(tf.float32, [None, 1], name="label")
    return tf.estimator.experimental.build_raw_supervised_input_receiver_fn({"x": x}, y)()


def case_predictions(folder):
    exported({"infer": raw})
    return question([call(x=waves(2, 3))])


def case_as_text(folder):
    exported({"infer": raw}, as_text=True)
    return question([call(x=waves(2, 3))])


def case_examples(folder):
    exported({"infer": parsing}, offered)
    rows = serialized(waves(2, 3))
    return question([call(inputs=rows), call("scores", inputs=rows), call("regression", inputs=rows),
                     call("predict", examples=rows)])


def case_several_graphs(folder):
    exported({"train": supervised, "eval": supervised, "infer": raw}, offered)
    return question([call("predict", x=waves(2, 3))])


def case_evaluation(folder):
    exported({"eval": supervised}, with_metrics=False)  # whether a run reads or updates one first, nobody knows
    return question([call("eval", x=waves(2, 3), label=ramp(2, 1))], ["eval"])
