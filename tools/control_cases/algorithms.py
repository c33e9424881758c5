"""Small algorithms."""
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, Step, sweep


@case
def bubble_sort():
    x = feed(tf.int32, [None])
    n = tf.size(x)

    def compare(j, v):
        a, b = v[j], v[j + 1]
        swapped = tf.concat([v[:j], [tf.minimum(a, b), tf.maximum(a, b)], v[j + 2:]], 0)
        return j + 1, swapped

    def one_pass(i, v):
        return i + 1, tf.while_loop(lambda j, w: j < n - 1, compare, [tf.constant(0), v],
                                    shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]

    out = tf.while_loop(lambda i, v: i < n, one_pass, [tf.constant(0), x],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return sweep(x, ([3, 1, 2], [5, 4, 3, 2, 1, 0], [7]), out)


@case
def sieve():
    n = feed(tf.int32)

    def strike(i, prime):
        ids = tf.range(n)
        multiple = tf.logical_and(tf.equal(ids % i, 0), ids > i)
        return i + 1, tf.logical_and(prime, tf.logical_not(multiple))

    out = tf.while_loop(lambda i, p: i * i < n, strike, [tf.constant(2), tf.fill([n], True)],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return sweep(n, (5, 50), tf.reduce_sum(tf.cast(out, tf.int32)))


@case
def binary_search():
    x, target = feed(tf.int32, [None]), feed(tf.int32)

    def halve(low, high):
        middle = (low + high) // 2
        return tf.cond(x[middle] < target, lambda: (middle + 1, high), lambda: (low, middle))

    low = tf.while_loop(lambda a, b: a < b, halve, [tf.constant(0), tf.size(x)])[0]
    return sweep(target, (0, 5, 6, 99), low, {x: [1, 3, 5, 7, 9, 11]})


@case
def partition_and_stitch_in_a_loop():
    x = feed(tf.int32, [6])

    def body(i, v):
        which = tf.cast(v > i, tf.int32)
        parts = tf.dynamic_partition(v, which, 2)
        places = tf.dynamic_partition(tf.range(6), which, 2)
        return i + 1, tf.dynamic_stitch(places, [parts[0] * 2, parts[1] - 1])

    out = tf.while_loop(lambda i, v: i < 5, body, [tf.constant(0), x],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return Step(out, {x: [1, 5, 2, 9, 4, 3]})


@case
def grad_partition_and_stitch():
    x = feed(shape=[6])
    which = tf.cast(x > 2.5, tf.int32)
    parts = tf.dynamic_partition(x, which, 2)
    places = tf.dynamic_partition(tf.range(6), which, 2)
    y = tf.dynamic_stitch(places, [parts[0] * 2, parts[1] * parts[1]])
    return Step([y, *tf.gradients(y, x)], {x: [1, 5, 2, 9, 4, 3]})
