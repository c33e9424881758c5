"""A pipeline: numbers that are chosen, changed and batched. The C++ twin is pipeline.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

data = (tf.data.Dataset.range(10).filter(lambda n: tf.equal(n % 2, 0)).map(lambda n: n * n).repeat(2).batch(4))
next_batch = tf.data.make_one_shot_iterator(data).get_next()
with tf.Session() as sess:
    try:
        while True:
            show("batch", sess.run(next_batch))
    except tf.errors.OutOfRangeError:
        print("the end")
