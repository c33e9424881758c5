"""A hidden layer that learns XOR. The C++ twin is xor.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[0.0], [1.0], [1.0], [0.0]])
w1, b1 = tf.Variable([[0.5, -0.4, 0.3], [-0.6, 0.7, 0.2]]), tf.Variable(tf.zeros([3]))
w2, b2 = tf.Variable([[0.8], [0.9], [-0.5]]), tf.Variable(tf.zeros([1]))
hidden = tf.tanh(tf.matmul(x, w1) + b1)
loss = tf.losses.mean_squared_error(y, tf.matmul(hidden, w2) + b2)
train = tf.train.AdamOptimizer(0.05).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("before", sess.run(loss))
    for _ in range(20):
        sess.run(train)
    show("after", sess.run(loss))
