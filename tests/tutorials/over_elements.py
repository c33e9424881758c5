"""map_fn, scan and foldl. The C++ twin is over_elements.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.constant([1.0, 2.0, 3.0, 4.0])
squares = tf.map_fn(lambda v: v * v, x)
sums = tf.scan(lambda so_far, v: so_far + v, x)
product = tf.foldl(lambda so_far, v: so_far * v, x)
with tf.Session() as sess:
    values = sess.run([squares, sums, product])
    show("squares", values[0])
    show("sums", values[1])
    show("product", values[2])
