"""Two dense networks against each other."""
import sys

import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(5)
np.random.seed(5)
image_dim, hidden, noise_dim, batch_size = 784, 256, 100, 128


def glorot_init(shape):
    return tf.random_normal(shape=shape, stddev=1. / tf.sqrt(shape[0] / 2.))


weights = {
    "gen_hidden1": tf.Variable(glorot_init([noise_dim, hidden])),
    "gen_out": tf.Variable(glorot_init([hidden, image_dim])),
    "disc_hidden1": tf.Variable(glorot_init([image_dim, hidden])),
    "disc_out": tf.Variable(glorot_init([hidden, 1])),
}
biases = {
    "gen_hidden1": tf.Variable(tf.zeros([hidden])),
    "gen_out": tf.Variable(tf.zeros([image_dim])),
    "disc_hidden1": tf.Variable(tf.zeros([hidden])),
    "disc_out": tf.Variable(tf.zeros([1])),
}


def generator(x):
    layer = tf.nn.relu(tf.add(tf.matmul(x, weights["gen_hidden1"]), biases["gen_hidden1"]))
    return tf.nn.sigmoid(tf.add(tf.matmul(layer, weights["gen_out"]), biases["gen_out"]))


def discriminator(x):
    layer = tf.nn.relu(tf.add(tf.matmul(x, weights["disc_hidden1"]), biases["disc_hidden1"]))
    return tf.nn.sigmoid(tf.add(tf.matmul(layer, weights["disc_out"]), biases["disc_out"]))


gen_input = tf.placeholder(tf.float32, shape=[None, noise_dim], name="input_noise")
disc_input = tf.placeholder(tf.float32, shape=[None, image_dim], name="disc_input")
gen_sample = generator(gen_input)
disc_real, disc_fake = discriminator(disc_input), discriminator(gen_sample)
gen_loss = -tf.reduce_mean(tf.log(disc_fake + 1e-8))
disc_loss = -tf.reduce_mean(tf.log(disc_real + 1e-8) + tf.log(1. - disc_fake + 1e-8))
gen_vars = [weights["gen_hidden1"], weights["gen_out"], biases["gen_hidden1"], biases["gen_out"]]
disc_vars = [weights["disc_hidden1"], weights["disc_out"], biases["disc_hidden1"], biases["disc_out"]]
train_gen = tf.train.AdamOptimizer(0.0002).minimize(gen_loss, var_list=gen_vars)
train_disc = tf.train.AdamOptimizer(0.0002).minimize(disc_loss, var_list=disc_vars)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3000):
        batch_x, _ = mnist.train.next_batch(batch_size)
        z = np.random.uniform(-1., 1., size=[batch_size, noise_dim])
        _, _, gl, dl = sess.run([train_gen, train_disc, gen_loss, disc_loss],
                                feed_dict={disc_input: batch_x, gen_input: z})
        if i % 1000 == 0:
            print("step", i, "generator", gl, "discriminator", dl)
    print("losses:", gl, dl)
