"""Fits a line by gradient descent. The C++ twin is line_fit.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

w, b = tf.Variable([0.3]), tf.Variable([-0.3])
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
loss = tf.reduce_sum(tf.square(w * x + b - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
data = {x: [1, 2, 3, 4], y: [0, -1, -2, -3]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(1000):
        sess.run(train, data)
    show("w", sess.run(w))
    show("b", sess.run(b))
