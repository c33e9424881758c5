"""Three kinds of irises, told by a deep net: the tutorial of premade estimators."""
import sys

import numpy as np
import tensorflow as tf

NAMES = ["SepalLength", "SepalWidth", "PetalLength", "PetalWidth"]


def load(name):
    rows = np.genfromtxt(f"{sys.argv[1]}/{name}", delimiter=",", skip_header=1)
    return {key: rows[:, i].astype(np.float32) for i, key in enumerate(NAMES)}, rows[:, 4].astype(np.int32)


def train_input(features, labels):
    data = tf.data.Dataset.from_tensor_slices((features, labels))
    return data.shuffle(1000, seed=1).repeat().batch(100)


def eval_input(features, labels):
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(100)


tf.logging.set_verbosity(tf.logging.ERROR)
model = tf.estimator.DNNClassifier([10, 10], [tf.feature_column.numeric_column(key) for key in NAMES], n_classes=3,
                                   config=tf.estimator.RunConfig(tf_random_seed=1))
model.train(lambda: train_input(*load("iris_training.csv")), steps=1000)
found = model.evaluate(lambda: eval_input(*load("iris_test.csv")))
print("accuracy {accuracy:.4f}".format(**found))
