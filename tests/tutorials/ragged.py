"""Rows of different lengths. The C++ twin is ragged.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

rows = tf.RaggedTensor.from_row_splits(tf.constant([3, 1, 4, 1, 5]), tf.constant([0, 2, 2, 5]))
with tf.Session() as sess:
    show("sums", sess.run(tf.reduce_sum(rows, axis=1)))
    show("dense", sess.run(rows.to_tensor()))
    show("lengths", sess.run(rows.row_lengths()))
    show("doubled", sess.run((rows * 2).flat_values))
