"""Linear equations, determinants, factors. The C++ twin is matrices.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

a = tf.constant([[4.0, 1.0], [1.0, 3.0]])
with tf.Session() as sess:
    show("solution", sess.run(tf.linalg.solve(a, [[1.0], [2.0]])))
    show("determinant", sess.run(tf.linalg.det(a)))
    show("cholesky", sess.run(tf.linalg.cholesky(a)))
    show("inverse", sess.run(tf.linalg.inv(a)))
    show("trace", sess.run(tf.linalg.trace(a)))
    show("eigenvalues", sess.run(tf.self_adjoint_eigvals(a)))
    show("product", sess.run(tf.einsum("ij,kj->ik", a, a)))
