"""Training with tf.losses."""
import tensorflow as tf


def program_regression():
    w = tf.Variable([0.5, -0.5], name="w", use_resource=True)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    loss = tf.losses.mean_squared_error(tf.constant([[1.0], [2.0]]), tf.matmul(x, tf.reshape(w, [2, 1])))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return [dict(before=loss), dict(train=train), dict(w=w, after=loss)]


def program_classification():
    x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    w = tf.get_variable("w", [2, 3], initializer=tf.zeros_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy([0, 1, 2], tf.matmul(x, w))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(tf.losses.get_total_loss())
    return [dict(before=loss), dict(train=train), dict(train=train), dict(after=loss)]
