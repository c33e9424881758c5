"""Nearest words by cosine. The C++ twin is neighbours.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

vectors = tf.constant([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [-1.0, 0.2]])
unit = tf.nn.l2_normalize(vectors, axis=1)
similar = tf.matmul(unit, unit, transpose_b=True)
best = tf.nn.top_k(similar, k=2)
with tf.Session() as sess:
    show("indices", sess.run(best.indices))
    show("values", sess.run(best.values))
