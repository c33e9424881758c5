"""Two hidden layers by hand."""
import sys

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets(sys.argv[1], one_hot=True)
tf.set_random_seed(1)

X = tf.placeholder("float", [None, 784])
Y = tf.placeholder("float", [None, 10])
weights = {
    "h1": tf.Variable(tf.random_normal([784, 256], stddev=0.05)),
    "h2": tf.Variable(tf.random_normal([256, 256], stddev=0.05)),
    "out": tf.Variable(tf.random_normal([256, 10], stddev=0.05))
}
biases = {
    "b1": tf.Variable(tf.zeros([256])),
    "b2": tf.Variable(tf.zeros([256])),
    "out": tf.Variable(tf.zeros([10]))
}


def multilayer_perceptron(inputs):
    layer_1 = tf.nn.relu(tf.add(tf.matmul(inputs, weights["h1"]), biases["b1"]))
    layer_2 = tf.nn.relu(tf.add(tf.matmul(layer_1, weights["h2"]), biases["b2"]))
    return tf.matmul(layer_2, weights["out"]) + biases["out"]


logits = multilayer_perceptron(X)
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=Y))
train_op = tf.train.AdamOptimizer(learning_rate=0.001).minimize(loss_op)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        for _ in range(mnist.train.num_examples // 100):
            batch_x, batch_y = mnist.train.next_batch(100)
            _, c = sess.run([train_op, loss_op], feed_dict={X: batch_x, Y: batch_y})
        print("epoch", epoch, "loss", c)
    pred = tf.nn.softmax(logits)
    correct_prediction = tf.equal(tf.argmax(pred, 1), tf.argmax(Y, 1))
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, "float"))
    print("accuracy:", accuracy.eval({X: mnist.test.images, Y: mnist.test.labels}))
