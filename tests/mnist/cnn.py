"""Two convolutions, two dense layers, dropout; tf.layers and tf.losses."""
import sys

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1])
tf.set_random_seed(2)

x = tf.placeholder(tf.float32, [None, 784], name="x")
labels = tf.placeholder(tf.int64, [None], name="labels")
training = tf.placeholder_with_default(False, [], name="training")
net = tf.reshape(x, [-1, 28, 28, 1])
net = tf.layers.conv2d(net, 32, 5, padding="same", activation=tf.nn.relu, name="conv1")
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu, name="conv2")
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.dense(tf.layers.flatten(net), 256, activation=tf.nn.relu, name="fc1")
net = tf.layers.dropout(net, rate=0.4, training=training)
logits = tf.layers.dense(net, 10, name="fc2")
loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
train_op = tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_or_create_global_step())
accuracy, update = tf.metrics.accuracy(labels, tf.argmax(logits, 1))

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    while mnist.train.epochs_completed < 2:
        images, numbers = mnist.train.next_batch(100)
        sess.run(train_op, {x: images, labels: numbers, training: True})
    for begin in range(0, mnist.test.num_examples, 500):
        sess.run(update, {x: mnist.test.images[begin:begin + 500],
                          labels: mnist.test.labels[begin:begin + 500]})
    print("accuracy:", sess.run(accuracy))
