"""A function with a gradient of its own. The C++ twin is own_gradient.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))
x = tf.constant([0.0, 100.0])
y = log1pexp(x)
with tf.Session() as sess:
    show("gradient", sess.run(tf.gradients(y, x)[0]))
