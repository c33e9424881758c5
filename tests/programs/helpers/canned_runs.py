"""Small data for premade estimators, and what they show of themselves."""
import functools
import itertools
import tempfile

import numpy as np
import tensorflow as tf

from helpers.head_runs import alone, names

fc = tf.feature_column
X = np.linspace(-1, 1, 24).astype(np.float32).reshape(12, 2)
WORDS = np.array([["a", "b", "d", "z"][i % 4] for i in range(12)])
WEIGHTS = (np.arange(12) % 3).astype(np.float32)
CLASSES, TWO = (np.arange(12) % 3).astype(np.int64), (np.arange(12) % 2).astype(np.int64)
NUMBERS = (X.sum(axis=1) + 1).astype(np.float32)


def columns():
    """A numeric column, a categorical one, and the same as numbers."""
    words = fc.categorical_column_with_vocabulary_list("c", ["a", "b", "d"])
    return fc.numeric_column("x", shape=(2,)), words, fc.indicator_column(words)


def given(labels=None):
    """An input function that gives all data at every step, as constants: the same nodes everywhere."""
    def input_fn():
        features = {"x": tf.constant(X), "c": tf.constant(WORDS), "w": tf.constant(WEIGHTS)}
        return features if labels is None else (features, tf.constant(labels))

    return input_fn


def config(**more):
    return tf.estimator.RunConfig(tf_random_seed=7, save_summary_steps=2, **more)


def fresh():
    return tempfile.mkdtemp()


def variables(model):
    """The values of all variables by name."""
    return {name: model.get_variable_value(name) for name in sorted(model.get_variable_names())}


def start(model, labels):
    """A first checkpoint with kernels that are known: TensorFlow 2 seeds operations otherwise than 1.15."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.create_global_step()
        features, truth = given(labels)()
        model.model_fn(features, truth, "train", model.config)
        session.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables():
            if "kernel" in variable.name:
                shape = variable.shape.as_list()
                variable.load(np.sin(np.arange(np.prod(shape)) + 1).reshape(shape) / 2, session)
        tf.train.Saver().save(session, model.model_dir + "/model.ckpt", global_step=0)
    return model


def predicted(model, count, **more):
    return list(itertools.islice(model.predict(given(), **more), count))


@alone
def run(make, labels, steps=3, predict=True):
    """Trains, evaluates, predicts: variables, metrics, predictions."""
    model = start(make(model_dir=fresh(), config=config()), labels)
    model.train(given(labels), steps=steps)
    metrics = model.evaluate(given(labels), steps=1)
    learned = variables(model)
    shown = dict(names=list(learned), learned=list(learned.values()), metrics=metrics, keys=sorted(metrics))
    if predict:
        predictions = predicted(model, 2)
        shown.update(prediction_keys=list(predictions[0]), predictions=predictions)
    return shown


@alone
def built(make, labels, mode="train"):
    """A number for the names of all nodes of a model, its variables, and what it shows."""
    model = make(config=config())
    with tf.Graph().as_default():
        tf.train.create_global_step()
        features = {"x": tf.constant(X), "c": tf.constant(WORDS[:, None]), "w": tf.constant(WEIGHTS)}
        spec = model.model_fn(features, None if mode == "infer" else tf.constant(labels[:, None]), mode, model.config)
        return dict(names=names(), variables=[v.name for v in tf.global_variables()],
                    trained=[v.name for v in tf.trainable_variables()],
                    summaries=[op.name for op in tf.get_collection(tf.GraphKeys.SUMMARIES)],
                    predictions=list(spec.predictions))


partial = functools.partial
