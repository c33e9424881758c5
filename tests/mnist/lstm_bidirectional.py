"""Rows of the pictures, one after the other, through a bidirectional LSTM."""
import sys

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(3)
timesteps, num_input, num_hidden = 28, 28, 128

X = tf.placeholder("float", [None, timesteps, num_input])
Y = tf.placeholder("float", [None, 10])
weights = tf.Variable(tf.random_normal([2 * num_hidden, 10], stddev=0.1))
biases = tf.Variable(tf.zeros([10]))
forwards = tf.contrib.rnn.BasicLSTMCell(num_hidden, forget_bias=1.0)
backwards = tf.contrib.rnn.BasicLSTMCell(num_hidden, forget_bias=1.0)
outputs, _, _ = tf.contrib.rnn.static_bidirectional_rnn(
    forwards, backwards, tf.unstack(X, timesteps, 1), dtype=tf.float32)
last = outputs[-1]
logits = tf.matmul(last, weights) + biases
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=Y))
train_op = tf.train.AdamOptimizer(0.002).minimize(loss_op)
right = tf.equal(tf.argmax(logits, 1), tf.argmax(Y, 1))
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(800):
        batch_x, batch_y = mnist.train.next_batch(128)
        feed = {X: batch_x.reshape((128, timesteps, num_input)), Y: batch_y}
        sess.run(train_op, feed_dict=feed)
        if step % 200 == 0:
            print("step", step, "loss", sess.run(loss_op, feed_dict=feed))
    test = mnist.test.images.reshape((-1, timesteps, num_input))
    print("accuracy:", sess.run(accuracy, feed_dict={X: test, Y: mnist.test.labels}))
