"""Adds two constants. The C++ twin is constants.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

a, b = tf.constant([1.0, 2.0, 3.0]), tf.constant(4.0)
with tf.Session() as sess:
    show("sum", sess.run(a + b))
    show("product", sess.run(tf.reduce_prod(a * b)))
