"""Branches that depend on values. The C++ twin is branches.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [])
y = tf.cond(x > 0.0, lambda: tf.sqrt(x), lambda: x * x)
z = tf.case([(x < 0.0, lambda: tf.constant("negative")), (x > 10.0, lambda: tf.constant("large"))],
            default=lambda: tf.constant("small"))
with tf.Session() as sess:
    for value in [9.0, -2.0, 16.0]:
        show("y", sess.run(y, {x: value}))
        show("z", sess.run(z, {x: value}))
