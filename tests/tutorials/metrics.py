"""Metrics over several batches. The C++ twin is metrics.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

labels = tf.placeholder(tf.int64, [None])
predictions = tf.placeholder(tf.int64, [None])
accuracy, update_accuracy = tf.metrics.accuracy(labels, predictions)
precision, update_precision = tf.metrics.precision(labels, predictions)
recall, update_recall = tf.metrics.recall(labels, predictions)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    updates = [update_accuracy, update_precision, update_recall]
    sess.run(updates, {labels: [1, 0, 1], predictions: [1, 1, 0]})
    sess.run(updates, {labels: [0, 1], predictions: [0, 1]})
    show("accuracy", sess.run(accuracy))
    show("precision", sess.run(precision))
    show("recall", sess.run(recall))
