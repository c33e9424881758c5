"""TF-Slim 1.1: a network with arg_scope, trained by slim.learning, evaluated from its checkpoint."""
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf
import tf_slim as slim

random = np.random.RandomState(0)
IMAGES = random.rand(64, 8, 8, 1).astype("float32")
LABELS = (IMAGES[:, :4].mean(axis=(1, 2, 3)) > IMAGES[:, 4:].mean(axis=(1, 2, 3))).astype("int64")


def network(images, is_training):
    with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu,
                        weights_regularizer=slim.l2_regularizer(0.0005)):
        net = slim.repeat(images, 2, slim.conv2d, 8, [3, 3], scope="conv1",
                          normalizer_fn=slim.batch_norm, normalizer_params={"is_training": is_training})
        net = slim.max_pool2d(net, [2, 2], scope="pool1")
        net = slim.dropout(slim.flatten(net), 0.9, is_training=is_training)
        return slim.fully_connected(net, 2, activation_fn=None, scope="logits")


def train(folder):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        logits = network(tf.constant(IMAGES), True)
        tf.losses.sparse_softmax_cross_entropy(LABELS, logits)
        total = tf.losses.get_total_loss()
        train_op = slim.learning.create_train_op(total, tf.train.AdamOptimizer(0.01))
        first = slim.learning.train(train_op, folder, number_of_steps=2, log_every_n_steps=100)
    with tf.Graph().as_default():
        logits = network(tf.constant(IMAGES), True)
        tf.losses.sparse_softmax_cross_entropy(LABELS, logits)
        train_op = slim.learning.create_train_op(tf.losses.get_total_loss(), tf.train.AdamOptimizer(0.01))
        last = slim.learning.train(train_op, folder, number_of_steps=60, log_every_n_steps=100)
    assert last < first, (first, last)


def evaluate(folder):
    with tf.Graph().as_default():
        logits = network(tf.constant(IMAGES), False)
        values, updates = slim.metrics.aggregate_metric_map({
            "accuracy": tf.metrics.accuracy(LABELS, tf.argmax(logits, 1)),
            "mse": tf.metrics.mean_squared_error(tf.one_hot(LABELS, 2), tf.nn.softmax(logits))})
        found = slim.evaluation.evaluate_once(
            "", tf.train.latest_checkpoint(folder), folder + "/eval", num_evals=1, eval_op=list(updates.values()),
            final_op=values)
        assert set(found) == {"accuracy", "mse"} and found["accuracy"] > 0.4
        slim.model_analyzer.analyze_vars(slim.get_model_variables())


def main():
    with tempfile.TemporaryDirectory() as folder:
        train(folder)
        evaluate(folder)
    print("a network with arg_scope is trained, resumed and evaluated")


main()
