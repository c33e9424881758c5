"""Estimators fed by arrays, data frames and iterators of the program's own."""
import tempfile

import numpy as np
import pandas as pd
import tensorflow as tf

X = {"b": np.arange(8, dtype=np.float32).reshape(8, 1) / 8, "a": np.linspace(-1, 1, 8, dtype=np.float32).reshape(8, 1)}
Y = X["a"] * 2 - X["b"] + 0.5


def model_fn(features, labels, mode):
    x = tf.concat([tf.reshape(features[key], [-1, 1]) for key in sorted(features)], 1)
    y = tf.matmul(tf.cast(x, tf.float32), tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer()))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"y": y})
    if isinstance(labels, dict):
        labels = labels["y"]
    labels = tf.cast(tf.reshape(labels, [-1, 1]), tf.float32)
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train_op, {"mean": tf.metrics.mean(labels)})


def estimator(**config):
    return tf.estimator.Estimator(model_fn, config=tf.estimator.RunConfig(
        tempfile.mkdtemp(), tf_random_seed=2, log_step_count_steps=None, **config))


def used(make_input):
    """Trains two epochs, evaluates one, predicts one."""
    model = estimator()
    model.train(make_input(2))
    return {"w": model.get_variable_value("w"), "metrics": model.evaluate(make_input(1)),
            "predictions": [row["y"] for row in model.predict(make_input(1))]}


def program_numpy():
    return used(lambda epochs: tf.estimator.inputs.numpy_input_fn(X, Y, 3, epochs, shuffle=False))


def program_numpy_labels_by_name():
    return used(lambda epochs: tf.estimator.inputs.numpy_input_fn(X, {"y": Y, "z": Y}, 4, epochs, shuffle=False))


def program_numpy_steps():
    model = estimator()
    model.train(tf.estimator.inputs.numpy_input_fn(X, Y, 3, None, shuffle=False), steps=5)
    model.train(tf.estimator.inputs.numpy_input_fn(X, Y, 3, None, shuffle=False), max_steps=7)
    return {"w": model.get_variable_value("w"), "step": model.get_variable_value("global_step")}


def program_numpy_shuffled():
    """Whole epochs in one batch: the order does not matter."""
    model = estimator()
    model.train(tf.estimator.inputs.numpy_input_fn(X, Y, 8, 3, shuffle=True, queue_capacity=8))
    metrics = model.evaluate(tf.estimator.inputs.numpy_input_fn(X, Y, 8, 1, shuffle=True, num_threads=1))
    return {"step": metrics["global_step"], "mean": metrics["mean"]}


def program_numpy_no_labels():
    model = estimator()
    model.train(tf.estimator.inputs.numpy_input_fn(X, Y, 4, 1, shuffle=False))
    rows = tf.estimator.inputs.numpy_input_fn({"a": X["a"][:3], "b": X["b"][:3]}, batch_size=2, shuffle=False)
    return {"rows": [row["y"] for row in model.predict(rows)],
            "batches": [len(batch["y"]) for batch in model.predict(rows, yield_single_examples=False)]}


def frame():
    return pd.DataFrame({key: value[:, 0] for key, value in X.items()})


def program_pandas():
    return used(lambda epochs: tf.estimator.inputs.pandas_input_fn(frame(), pd.Series(Y[:, 0]), 3, epochs, shuffle=False))


def program_pandas_label_frame():
    labels = pd.DataFrame({"y": Y[:, 0], "z": Y[:, 0]})
    return used(lambda epochs: tf.estimator.inputs.pandas_input_fn(frame(), labels, 3, epochs, shuffle=False))


def program_one_shot_iterator():
    def make(epochs):
        return lambda: tf.data.Dataset.from_tensor_slices((X, Y)).repeat(epochs).batch(3).make_one_shot_iterator().get_next()
    return used(make)


def program_initializable_iterator():
    def make(epochs):
        def input_fn():
            iterator = tf.data.Dataset.from_tensor_slices((X, Y)).repeat(epochs).batch(3).make_initializable_iterator()
            tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
            return iterator.get_next()
        return input_fn
    return used(make)


def program_batches_of_train():
    """The queues of tf.train."""
    def input_fn():
        a, b, y = tf.train.slice_input_producer([X["a"], X["b"], Y], num_epochs=2, shuffle=False)
        a, b, y = tf.train.batch([a, b, y], 4, allow_smaller_final_batch=True)
        return {"a": a, "b": b}, y
    model = estimator()
    model.train(input_fn)
    return {"w": model.get_variable_value("w"), "step": model.get_variable_value("global_step")}


def program_constants():
    model = estimator()
    model.train(lambda: ({key: tf.constant(value) for key, value in X.items()}, tf.constant(Y)), steps=3)
    return {"w": model.get_variable_value("w")}


def program_train_and_evaluate_on_arrays():
    model = estimator(save_checkpoints_steps=2)
    result = tf.estimator.train_and_evaluate(
        model, tf.estimator.TrainSpec(tf.estimator.inputs.numpy_input_fn(X, Y, 4, None, shuffle=False), max_steps=5),
        tf.estimator.EvalSpec(tf.estimator.inputs.numpy_input_fn(X, Y, 4, 1, shuffle=False), steps=None,
                              throttle_secs=0))
    return {"metrics": result[0], "w": model.get_variable_value("w")}


def program_train_and_evaluate_one_shot():
    def input_fn():
        return tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(3).make_one_shot_iterator().get_next()
    model = estimator(save_checkpoints_steps=2)
    result = tf.estimator.train_and_evaluate(model, tf.estimator.TrainSpec(input_fn, max_steps=5),
                                             tf.estimator.EvalSpec(input_fn, steps=2, throttle_secs=0))
    return {"metrics": result[0], "w": model.get_variable_value("w")}
