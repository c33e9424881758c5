"""One iterator for two sets of data. The C++ twin is iterators.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

limit = tf.placeholder(tf.int64, [])
data = tf.data.Dataset.range(limit).batch(3, drop_remainder=True)
iterator = tf.data.make_initializable_iterator(data)
total = tf.reduce_sum(iterator.get_next())
with tf.Session() as sess:
    for size in [6, 3]:
        sess.run(iterator.initializer, {limit: size})
        for _ in range(size // 3):
            show("total", sess.run(total))
