"""Batch normalization with its updates. The C++ twin is batch_norm.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 2])
y = tf.layers.batch_normalization(x, momentum=0.5, training=True)
updates = tf.group(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: [[1, 10], [3, 30]]}
    show("normalized", sess.run(y, feed))
    for _ in range(2):
        sess.run(updates, feed)
    for v in tf.global_variables():
        show(v.name, sess.run(v))
