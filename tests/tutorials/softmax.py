"""Softmax regression, as MNIST for beginners. The C++ twin is softmax.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 3])
y_ = tf.placeholder(tf.float32, [None, 2])
W, b = tf.Variable(tf.zeros([3, 2])), tf.Variable(tf.zeros([2]))
y = tf.nn.softmax(tf.matmul(x, W) + b)
cross_entropy = tf.reduce_mean(-tf.reduce_sum(y_ * tf.log(y), axis=1))
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy)
correct = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
feed = {x: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], y_: [[1, 0], [0, 1], [1, 0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(50):
        sess.run(train_step, feed)
    loss, right = sess.run([cross_entropy, accuracy], feed)
    show("loss", loss)
    show("accuracy", right)
    show("W", sess.run(W))
