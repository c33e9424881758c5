"""Two datasets side by side, padded batches of rows of different lengths. The C++ twin is zipped.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

rows = tf.data.Dataset.range(1, 5).map(lambda n: tf.fill(tf.reshape(n, [1]), n))
names = tf.data.Dataset.from_tensor_slices(tf.constant(["a", "b", "c", "d"]))
data = tf.data.Dataset.zip((rows, names)).padded_batch(2, ([None], []))
row, name = tf.data.make_one_shot_iterator(data).get_next()
with tf.Session() as sess:
    for _ in range(2):
        values = sess.run([row, name])
        show("rows", values[0])
        show("names", values[1])
