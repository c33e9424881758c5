"""Trains on digits, writes what TensorBoard shows, and measures in batches. The C++ twin is evaluation.cc."""
import tempfile

import drawn_digits as digits
import tensorflow as tf

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
weights = tf.get_variable("weights", [digits.PIXELS, digits.CLASSES])
bias = tf.get_variable("bias", [digits.CLASSES], initializer=tf.zeros_initializer())
logits = tf.matmul(x, weights) + bias
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.AdamOptimizer(0.01).minimize(loss)

predicted = tf.argmax(logits, 1, output_type=tf.int32)
accuracy, count = tf.metrics.accuracy(labels, predicted)
fairness, count_classes = tf.metrics.mean_per_class_accuracy(labels, predicted, digits.CLASSES)
reset = tf.metrics.reset()

tf.summary.scalar("loss", loss)
tf.summary.histogram("weights", weights)
summary = tf.summary.merge_all()

with tf.Session() as sess, tf.summary.FileWriter(tempfile.mkdtemp(), sess.graph) as writer:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        for step in range(100 * epoch, 100 * epoch + 100):
            pictures, numbers = digits.draw(64, seed=step)
            _, told = sess.run([train, summary], {x: pictures, labels: numbers})
            writer.add_summary(told, step)
        sess.run(reset)
        for batch in range(10):
            pictures, numbers = digits.draw(100, seed=10_000 + batch)
            sess.run([count, count_classes], {x: pictures, labels: numbers})
        print("epoch {}: accuracy {:.3f}, the mean of all classes {:.3f}".format(epoch, *sess.run([accuracy, fairness])))
    print("written to", writer.get_logdir())
