"""Gradients clipped by their norm before they are applied. The C++ twin is clipping.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

a, b = tf.Variable([3.0, 4.0]), tf.Variable(12.0)
loss = tf.reduce_sum(tf.square(a)) / 2 + tf.square(b) / 2
optimizer = tf.train.GradientDescentOptimizer(1.0)
grads, variables = zip(*optimizer.compute_gradients(loss))
clipped, norm = tf.clip_by_global_norm(grads, 6.5)
train = optimizer.apply_gradients(zip(clipped, variables))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("norm", sess.run(norm))
    sess.run(train)
    show("a", sess.run(a))
    show("b", sess.run(b))
