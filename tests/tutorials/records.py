"""Writes examples to a file and parses them. The C++ twin is records.cc."""
import tempfile

import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

file = tempfile.mkdtemp() + "/data.tfrecord"
with tf.io.TFRecordWriter(file) as writer:
    for i in range(3):
        example = tf.train.Example(features=tf.train.Features(feature={
            "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
            "x": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5 * i, 1.0])),
            "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"row %d" % i]))}))
        writer.write(example.SerializeToString())
data = tf.data.TFRecordDataset(file).batch(3)
texts = tf.data.make_one_shot_iterator(data).get_next()
parsed = tf.io.parse_example(texts, {"id": tf.io.FixedLenFeature([], tf.int64),
                                     "x": tf.io.FixedLenFeature([2], tf.float32),
                                     "name": tf.io.FixedLenFeature([], tf.string)})
with tf.Session() as sess:
    values = sess.run([parsed["id"], parsed["x"], parsed["name"]])
    show("id", values[0])
    show("x", values[1])
    show("name", values[2])
