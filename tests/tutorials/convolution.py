"""A convolution and a pool. The C++ twin is convolution.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
kernel = tf.reshape(tf.constant([1.0, 0.0, 0.0, -1.0]), [2, 2, 1, 1])
edges = tf.nn.conv2d(image, kernel, [1, 1, 1, 1], "SAME")
pooled = tf.nn.max_pool(edges, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
with tf.Session() as sess:
    show("edges", sess.run(edges))
    show("pooled", sess.run(pooled))
