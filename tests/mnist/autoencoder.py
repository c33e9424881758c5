"""Pictures through a narrow place and back."""
import sys

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(4)

X = tf.placeholder("float", [None, 784])


def layer(inputs, size, name):
    w = tf.get_variable(name + "_w", [inputs.shape[1], size],
                        initializer=tf.contrib.layers.xavier_initializer())
    b = tf.get_variable(name + "_b", [size], initializer=tf.zeros_initializer())
    return tf.nn.sigmoid(tf.add(tf.matmul(inputs, w), b))


code = layer(layer(X, 256, "encoder1"), 64, "encoder2")
decoded = layer(layer(code, 256, "decoder1"), 784, "decoder2")
loss = tf.reduce_mean(tf.pow(X - decoded, 2))
train = tf.train.RMSPropOptimizer(0.003).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1500):
        batch, _ = mnist.train.next_batch(256)
        _, value = sess.run([train, loss], feed_dict={X: batch})
        if i % 500 == 0:
            print("step", i, "loss", value)
    print("loss:", sess.run(loss, {X: mnist.test.images}))
