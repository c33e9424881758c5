"""Feeds matrices of any height. The C++ twin is placeholders.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.matmul(x, [[1.0, 2.0], [3.0, 4.0]]) + 1
with tf.Session() as sess:
    show("one row", sess.run(y, {x: [[1, 1]]}))
    show("two rows", sess.run(y, {x: [[1, 0], [0, 1]]}))
