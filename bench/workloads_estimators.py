"""Estimators: a prediction for one example, a step of training."""
import itertools
import os

import numpy as np

from workloads import Workload

TRAIN_STEPS = 300
JOBS = [f"job {i}" for i in range(12)]


def config(tf, setting):
    never = 10**6
    return tf.estimator.RunConfig(session_config=setting.config(tf), save_checkpoints_steps=never,
                                  log_step_count_steps=never)


def folder(setting, name):
    return os.path.join(setting.folder, f"{setting.framework}_{name}")


def census(count, seed=0):
    """Columns like those of the census."""
    rng = np.random.default_rng(seed)
    features = {"age": rng.integers(17, 90, count).astype(np.float32),
                "hours": rng.integers(1, 99, count).astype(np.float32),
                "education": rng.integers(1, 16, count).astype(np.int64),
                "occupation": np.array([JOBS[i] for i in rng.integers(0, 12, count)]),
                "relation": np.array([f"r{i}" for i in rng.integers(0, 500, count)])}
    return features, (features["age"] + features["hours"] > 90).astype(np.int64)


def columns(tf):
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


def batches(tf):
    return tf.data.Dataset.from_tensor_slices(census(20000)).shuffle(1000, seed=1).repeat().batch(64).prefetch(1)


def own_model(tf):
    """Layers of one's own, without feature columns."""
    return lambda features, labels, mode: dense(tf, features, labels, mode)


def dense(tf, features, labels, mode):
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


def predict_own_model(tf, setting):
    """One example each time."""
    model = tf.estimator.Estimator(own_model(tf), folder(setting, "own"), config(tf, setting))
    model.train(lambda: tf.data.Dataset.from_tensor_slices(flowers(64)).batch(16))

    def run(number):
        row = flowers(1)[0]["x"] + np.float32(number)
        next(iter(model.predict(lambda: tf.data.Dataset.from_tensors({"x": row}))))
    return run


def predict_dnn_classifier(tf, setting):
    _, deep = columns(tf)
    model = tf.estimator.DNNClassifier([32, 16], deep, folder(setting, "dnn"), config=config(tf, setting))
    model.train(lambda: batches(tf), steps=5)

    def run(number):
        row = census(1, number + 1)[0]
        next(iter(model.predict(lambda: tf.data.Dataset.from_tensors(row))))
    return run


def train_own_model(tf, setting):
    def run(number):
        model = tf.estimator.Estimator(own_model(tf), folder(setting, f"own_train{number}"), config(tf, setting))
        model.train(lambda: tf.data.Dataset.from_tensor_slices(flowers(1024)).repeat().batch(32), steps=TRAIN_STEPS)
    return run


def train_census(tf, setting):
    wide, deep = columns(tf)

    def run(number):
        model = tf.estimator.DNNLinearCombinedClassifier(
            folder(setting, f"census{number}"), linear_feature_columns=wide, dnn_feature_columns=deep,
            dnn_hidden_units=[100, 75, 50, 25], config=config(tf, setting))
        model.train(lambda: batches(tf), steps=TRAIN_STEPS)
    return run


def numbered(make):
    """A step that counts how often it was called."""
    def prepared(tf, setting):
        run, numbers = make(tf, setting), itertools.count()
        return lambda: run(next(numbers))
    return prepared


# What is good enough: 50 times as fast at predictions, twice as fast at training.
WORKLOADS = ((predict_own_model, 1, 1 / 50), (predict_dnn_classifier, 1, 1 / 50), (train_own_model, TRAIN_STEPS, 1 / 2),
             (train_census, TRAIN_STEPS, 1 / 2))


def workloads(group):
    return [Workload(make.__name__, numbered(make), per=per, wanted=wanted) for make, per, wanted in WORKLOADS]
