"""A variational autoencoder with two hidden numbers."""
import sys

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(7)

x = tf.placeholder(tf.float32, [None, 784])
hidden = tf.layers.dense(x, 256, tf.nn.tanh)
z_mean = tf.layers.dense(hidden, 2)
z_std = tf.layers.dense(hidden, 2)
eps = tf.random_normal(tf.shape(z_std), dtype=tf.float32, mean=0., stddev=1.0, name="epsilon")
z = z_mean + tf.exp(z_std / 2) * eps
decoded = tf.layers.dense(tf.layers.dense(z, 256, tf.nn.tanh), 784, tf.nn.sigmoid)
reconstruction = -tf.reduce_sum(
    x * tf.log(1e-10 + decoded) + (1 - x) * tf.log(1e-10 + 1 - decoded), 1)
divergence = -0.5 * tf.reduce_sum(1 + z_std - tf.square(z_mean) - tf.exp(z_std), 1)
loss = tf.reduce_mean(reconstruction + divergence)
train = tf.train.RMSPropOptimizer(0.001).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(2000):
        batch, _ = mnist.train.next_batch(64)
        _, value = sess.run([train, loss], feed_dict={x: batch})
        if i % 500 == 0:
            print("step", i, "loss", value)
    print("loss:", sess.run(loss, {x: mnist.test.images}))
