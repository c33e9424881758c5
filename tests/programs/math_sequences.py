"""Ranges and running totals."""
import tensorflow as tf

from program import feeds


def program_range():
    return dict(limit=tf.range(5), both=tf.range(2, 8), step=tf.range(0, 10, 3), floats=tf.range(0.0, 1.0, 0.25), down=tf.range(5, 0, -2, name="down"),
                typed=tf.range(3, dtype=tf.float32), long=tf.range(0, 4, dtype=tf.int64))


def program_range_mixed():
    return dict(mixed=tf.range(1, 3, 0.5), tensor=tf.range(tf.constant(4)), long=tf.range(tf.constant(4, tf.int64)),
                promoted=tf.range(tf.constant(0), tf.constant(4.0), 1))


def program_range_fed():
    n = tf.placeholder(tf.int32, [])
    y = tf.range(n)
    return feeds({n: 4}, y=y, shape=str(y.shape), z=tf.range(1, n + 1, name="counted"))


def program_cumsum():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    return dict(first=tf.cumsum(x), rows=tf.cumsum(x, axis=1), without=tf.cumsum(x, 1, exclusive=True), back=tf.math.cumsum(x, 1, reverse=True, name="back"),
                both=tf.cumsum(x, -1, True, True), value=tf.cumsum([1.0, 2.0]))


def program_cumprod():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return dict(first=tf.cumprod(x), rows=tf.math.cumprod(x, axis=1, exclusive=True, name="products"), back=tf.cumprod(x, 1, reverse=True))


def program_cumsum_gradient():
    x = tf.constant([1.0, 2.0, 3.0])
    return dict(sum=tf.gradients(tf.cumsum(x, reverse=True), x), prod=tf.gradients(tf.cumprod(x), x))


def program_cumulative_logsumexp():
    x = tf.constant([1.0, 2.0, 3.0])
    return dict(all=tf.math.cumulative_logsumexp(x), back=tf.math.cumulative_logsumexp(x, reverse=True, exclusive=True, name="tail"))


def program_cumsum_axis_tensor():
    axis = tf.placeholder(tf.int32, [])
    x = tf.constant([[1, 2], [3, 4]])
    return feeds({axis: 1}, y=tf.cumsum(x, axis))
