"""Fits a line to noisy points. The C++ twin is linear_regression.cc."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
points = random.uniform(-1, 1, 200).astype(np.float32)
values = 3 * points - 2 + 0.1 * random.randn(200).astype(np.float32)

x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
weight = tf.Variable(0.0, name="weight")
bias = tf.Variable(0.0, name="bias")

loss = tf.reduce_mean(tf.square(x * weight + bias - y))
train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {x: points, y: values})
    w, b, error = sess.run([weight, bias, loss], {x: points, y: values})
print(f"y = {w:.2f} x + {b:.2f}, mean squared error {error:.4f}")
