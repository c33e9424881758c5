"""The tutorial's network of two hidden layers."""

import math

import tensorflow as tf

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def _layer(inputs, size, name):
    with tf.name_scope(name):
        width = inputs.shape.as_list()[1]
        weights = tf.Variable(tf.truncated_normal([width, size], stddev=1.0 / math.sqrt(float(width))),
                              name="weights")
        biases = tf.Variable(tf.zeros([size]), name="biases")
        return tf.matmul(inputs, weights) + biases


def inference(images, hidden1_units, hidden2_units):
    """The logits of images, a row each."""
    hidden = tf.nn.relu(_layer(images, hidden1_units, "hidden1"))
    hidden = tf.nn.relu(_layer(hidden, hidden2_units, "hidden2"))
    return _layer(hidden, NUM_CLASSES, "softmax_linear")


def loss(logits, labels):
    """The mean cross entropy of logits and numbers of classes."""
    return tf.losses.sparse_softmax_cross_entropy(labels=tf.cast(labels, tf.int64), logits=logits)


def training(loss, learning_rate):
    """One step of gradient descent, which is counted."""
    tf.summary.scalar("loss", loss)
    step = tf.Variable(0, name="global_step", trainable=False)
    return tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)


def evaluation(logits, labels):
    """How many are right."""
    return tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))
