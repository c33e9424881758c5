"""Rows of a table, and training of those that are looked up. The C++ twin is embeddings.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

table = tf.get_variable("table", [4, 2], initializer=tf.constant_initializer([0, 1, 2, 3, 4, 5, 6, 7]))
ids = tf.placeholder(tf.int32, [None])
rows = tf.nn.embedding_lookup(table, ids)
train = tf.train.AdagradOptimizer(0.5).minimize(tf.reduce_sum(tf.square(rows)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("rows", sess.run(rows, {ids: [3, 0, 3]}))
    sess.run(train, {ids: [3, 0, 3]})
    show("table", sess.run(table))
