"""Sparse tensors. The C++ twin is sparse.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

a = tf.SparseTensor([[0, 1], [2, 0]], [5.0, 7.0], [3, 2])
dense = tf.sparse.to_dense(a)
product = tf.sparse.sparse_dense_matmul(a, tf.constant([[1.0], [2.0]]))
sums = tf.sparse.reduce_sum(a, axis=1)
with tf.Session() as sess:
    show("dense", sess.run(dense))
    show("product", sess.run(product))
    show("sums", sess.run(sums))
