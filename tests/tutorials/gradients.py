"""Gradients, and gradients of gradients. The C++ twin is gradients.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [2])
y = tf.reduce_sum(x * x * x)
first = tf.gradients(y, x)[0]
second = tf.gradients(first, x)[0]
hessian = tf.hessians(y, [x])[0]
with tf.Session() as sess:
    feed = {x: [1, 2]}
    show("first", sess.run(first, feed))
    show("second", sess.run(second, feed))
    show("hessian", sess.run(hessian, feed))
