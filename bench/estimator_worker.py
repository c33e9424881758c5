"""Measures estimators on request; speaks as op_worker.py does.

usage: estimator_worker.py rill|tensorflow THREADS FOLDER
"""
import functools
import os
import sys
import time

import numpy as np

FRAMEWORK, THREADS, FOLDER = sys.argv[1], int(sys.argv[2]), sys.argv[3]

if FRAMEWORK == "tensorflow":
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
else:
    import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
TRAIN_STEPS = 300
JOBS = [f"job {i}" for i in range(12)]


def config():
    session = tf.ConfigProto(intra_op_parallelism_threads=THREADS, inter_op_parallelism_threads=THREADS)
    return tf.estimator.RunConfig(session_config=session, save_checkpoints_steps=10**6, log_step_count_steps=10**6)


def folder(name):
    return os.path.join(FOLDER, f"{FRAMEWORK}_{name}")


def census(count, seed=0):
    """Columns like those of the census."""
    rng = np.random.default_rng(seed)
    features = {"age": rng.integers(17, 90, count).astype(np.float32),
                "hours": rng.integers(1, 99, count).astype(np.float32),
                "education": rng.integers(1, 16, count).astype(np.int64),
                "occupation": np.array([JOBS[i] for i in rng.integers(0, 12, count)]),
                "relation": np.array([f"r{i}" for i in rng.integers(0, 500, count)])}
    return features, (features["age"] + features["hours"] > 90).astype(np.int64)


def columns():
    column = tf.feature_column
    age, hours = column.numeric_column("age"), column.numeric_column("hours")
    ages = column.bucketized_column(age, [18, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    education = column.categorical_column_with_identity("education", 16)
    occupation = column.categorical_column_with_vocabulary_list("occupation", JOBS)
    relation = column.categorical_column_with_hash_bucket("relation", 100)
    crossed = column.crossed_column(["education", "occupation"], 1000)
    wide = [ages, education, occupation, relation, crossed]
    deep = [age, hours, column.indicator_column(education), column.embedding_column(occupation, 8),
            column.embedding_column(relation, 8)]
    return wide, deep


def batches():
    return tf.data.Dataset.from_tensor_slices(census(20000)).shuffle(1000, seed=1).repeat().batch(64).prefetch(1)


def dense(features, labels, mode):
    """Layers of one's own, without feature columns."""
    hidden = tf.layers.dense(features["x"], 32, tf.nn.relu)
    logits = tf.layers.dense(tf.layers.dense(hidden, 16, tf.nn.relu), 3)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.nn.softmax(logits), "c": tf.argmax(logits, 1)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.AdagradOptimizer(0.05).minimize(
        loss, tf.train.get_global_step()))


def flowers(count):
    rng = np.random.default_rng(count)
    return {"x": rng.random((count, 4)).astype(np.float32)}, rng.integers(0, 3, count).astype(np.int32)


def predict_own_model():
    """One example each time."""
    model = tf.estimator.Estimator(dense, folder("own"), config())
    model.train(lambda: tf.data.Dataset.from_tensor_slices(flowers(64)).batch(16))

    def run(number):
        row = flowers(1)[0]["x"] + np.float32(number)
        next(iter(model.predict(lambda: tf.data.Dataset.from_tensors({"x": row}))))
    return run, 1


def predict_dnn_classifier():
    _, deep = columns()
    model = tf.estimator.DNNClassifier([32, 16], deep, folder("dnn"), config=config())
    model.train(batches, steps=5)

    def run(number):
        row = census(1, number + 1)[0]
        next(iter(model.predict(lambda: tf.data.Dataset.from_tensors(row))))
    return run, 1


def train_own_model():
    def run(number):
        model = tf.estimator.Estimator(dense, folder(f"own_train{number}"), config())
        model.train(lambda: tf.data.Dataset.from_tensor_slices(flowers(1024)).repeat().batch(32), steps=TRAIN_STEPS)
    return run, TRAIN_STEPS


def train_census():
    wide, deep = columns()

    def run(number):
        model = tf.estimator.DNNLinearCombinedClassifier(
            folder(f"census{number}"), linear_feature_columns=wide, dnn_feature_columns=deep,
            dnn_hidden_units=[100, 75, 50, 25], config=config())
        model.train(batches, steps=TRAIN_STEPS)
    return run, TRAIN_STEPS


CASES = {f.__name__: f for f in (predict_own_model, predict_dnn_classifier, train_own_model, train_census)}


@functools.cache
def prepared(name):
    run, count = CASES[name]()
    run(-1)
    return run, count


def main():
    for number, line in enumerate(sys.stdin):
        try:
            run, count = prepared(line.strip())
            begin = time.perf_counter()
            run(number)
            print((time.perf_counter() - begin) / count, flush=True)
        except Exception as error:  # pylint: disable=broad-except
            print("nan", " ".join(str(error).split())[:200] or type(error).__name__, flush=True)


if __name__ == "__main__":
    main()
