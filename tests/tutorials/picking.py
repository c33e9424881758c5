"""Elements picked from tensors and put into them. The C++ twin is picking.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.reshape(tf.range(12), [3, 4])
with tf.Session() as sess:
    show("row", sess.run(x[1]))
    show("column", sess.run(x[:, -1]))
    show("part", sess.run(x[1:3, ::2]))
    show("picked", sess.run(tf.gather_nd(x, [[0, 3], [2, 1]])))
    show("put", sess.run(tf.scatter_nd([[1], [3]], [9, 8], [5])))
    show("rows", sess.run(tf.boolean_mask(x, [True, False, True])))
    show("places", sess.run(tf.where(x > 9)))
    show("marks", sess.run(tf.one_hot([0, 2], 3)))
