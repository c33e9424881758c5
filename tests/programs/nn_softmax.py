"""Softmax along any axis."""
import tensorflow as tf

from program import feeds

X = [[1.0, 2.0, 3.0], [0.5, 0.0, -1.0]]


def program_softmax():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    return feeds({x: X}, y=tf.nn.softmax(x), log=tf.nn.log_softmax(x, name="log"),
                 same=tf.nn.softmax(x, axis=1))


def program_softmax_along_another_axis():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    return feeds({x: X}, y=tf.nn.softmax(x, axis=0, name="columns"))


def program_softmax_in_the_middle():
    x = tf.placeholder(tf.float32, [1, 2, 3], name="x")
    return feeds({x: [X]}, y=tf.nn.softmax(x, axis=1), z=tf.math.log_softmax(x, axis=0))


def program_softmax_dim():
    return {"y": tf.nn.softmax(tf.constant(X), dim=0)}
