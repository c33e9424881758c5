"""Two convolutional networks against each other."""
import sys

import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(6)
np.random.seed(6)
noise_dim, batch_size = 64, 32


def generator(x, reuse=False):
    with tf.variable_scope("Generator", reuse=reuse):
        x = tf.layers.dense(x, units=6 * 6 * 64)
        x = tf.nn.tanh(x)
        x = tf.reshape(x, shape=[-1, 6, 6, 64])
        x = tf.layers.conv2d_transpose(x, 32, 4, strides=2)
        x = tf.layers.conv2d_transpose(x, 1, 2, strides=2)
        return tf.nn.sigmoid(x)


def discriminator(x, reuse=False):
    with tf.variable_scope("Discriminator", reuse=reuse):
        x = tf.layers.conv2d(x, 32, 5)
        x = tf.nn.tanh(x)
        x = tf.layers.average_pooling2d(x, 2, 2)
        x = tf.layers.conv2d(x, 64, 5)
        x = tf.nn.tanh(x)
        x = tf.layers.average_pooling2d(x, 2, 2)
        x = tf.contrib.layers.flatten(x)
        x = tf.layers.dense(x, 256)
        x = tf.nn.tanh(x)
        return tf.layers.dense(x, 2)


noise_input = tf.placeholder(tf.float32, shape=[None, noise_dim])
real_image_input = tf.placeholder(tf.float32, shape=[None, 28, 28, 1])
gen_sample = generator(noise_input)
disc_concat = tf.concat([discriminator(real_image_input), discriminator(gen_sample, reuse=True)], 0)
stacked_gan = discriminator(gen_sample, reuse=True)
disc_target = tf.placeholder(tf.int32, shape=[None])
gen_target = tf.placeholder(tf.int32, shape=[None])
disc_loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
    logits=disc_concat, labels=disc_target))
gen_loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
    logits=stacked_gan, labels=gen_target))
gen_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="Generator")
disc_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="Discriminator")
train_gen = tf.train.AdamOptimizer(0.001).minimize(gen_loss, var_list=gen_vars)
train_disc = tf.train.AdamOptimizer(0.001).minimize(disc_loss, var_list=disc_vars)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(400):
        batch_x, _ = mnist.train.next_batch(batch_size)
        z = np.random.uniform(-1., 1., size=[batch_size, noise_dim])
        targets = np.concatenate([np.ones([batch_size]), np.zeros([batch_size])])
        _, _, gl, dl = sess.run([train_gen, train_disc, gen_loss, disc_loss], feed_dict={
            real_image_input: batch_x.reshape([-1, 28, 28, 1]), noise_input: z,
            disc_target: targets, gen_target: np.ones([batch_size])})
        if i % 100 == 0:
            print("step", i, "generator", gl, "discriminator", dl)
    print("losses:", gl, dl)
