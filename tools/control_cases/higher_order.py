"""map_fn, scan and folds."""
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, numbers, Step, sweep


@case
def map_squares():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3], [4]), tf.map_fn(lambda v: v * v + 1, x))


@case
def map_several():
    x, y = feed(shape=[3]), feed(shape=[3, 2])
    a, b = tf.map_fn(lambda v: (v[0] + tf.reduce_sum(v[1]), v[1] * v[0]), (x, y),
                     dtype=(tf.float32, tf.float32))
    return Step([a, b], {x: [1, 2, 3], y: numbers(3, 2)})


@case
def map_changes_type():
    x = feed(shape=[4])
    return Step(tf.map_fn(lambda v: v > 2, x, dtype=tf.bool), {x: [1, 2, 3, 4]})


@case
def map_nested():
    x = feed(shape=[2, 3])
    return Step(tf.map_fn(lambda row: tf.map_fn(lambda v: v * 2 + row[0], row), x),
                {x: numbers(2, 3)})


@case
def map_with_cond():
    x = feed(shape=[5])
    y = tf.map_fn(lambda v: tf.cond(v < 3, lambda: v * 10, lambda: v - 1), x)
    return Step(y, {x: [1, 2, 3, 4, 5]})


@case
def fold_left_and_right():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3], [5]), [tf.foldl(lambda a, v: a * 2 + v, x),
                                       tf.foldr(lambda a, v: a * 2 + v, x),
                                       tf.foldl(lambda a, v: a - v, x, initializer=10.0)])


@case
def scan_sums():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3, 4], [7]), [tf.scan(lambda a, v: a + v, x),
                                          tf.scan(lambda a, v: a + v, x, reverse=True),
                                          tf.scan(lambda a, v: a * v, x, initializer=2.0)])


@case
def scan_pairs():
    x = feed(shape=[4])
    a, b = tf.scan(lambda s, v: (s[1], s[0] + v), x,
                   initializer=(tf.constant(0.0), tf.constant(1.0)))
    return Step([a, b], {x: [1, 2, 3, 4]})
