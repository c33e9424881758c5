"""Loops: Fibonacci numbers, and how many steps Collatz takes. The C++ twin is loops.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

_, a, b = tf.while_loop(lambda i, a, b: i < 10, lambda i, a, b: (i + 1, b, a + b), [0, 0, 1])
start = tf.placeholder(tf.int32, [])
_, steps = tf.while_loop(lambda n, steps: n > 1,
                         lambda n, steps: (tf.where(tf.equal(n % 2, 0), n // 2, 3 * n + 1), steps + 1), [start, 0])
with tf.Session() as sess:
    show("fibonacci", sess.run(a))
    show("next", sess.run(b))
    show("steps", sess.run(steps, {start: 27}))
