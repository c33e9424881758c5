"""A function of the program as a node of the graph. The C++ twin is host.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [2])
y = tf.py_func(lambda value: value * 2, [x], tf.float32)
with tf.Session() as sess:
    show("y", sess.run(y + 1, {x: [1, 2]}))
