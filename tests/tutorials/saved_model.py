"""Exports a model and asks it by its signature. The C++ twin is saved_model.cc."""
import tempfile

import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

folder = tempfile.mkdtemp()
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[2.0], [3.0]])
    y = tf.matmul(x, w)
    sess.run(tf.global_variables_initializer())
    tf.saved_model.simple_save(sess, folder + "/1", {"x": x}, {"y": y})
with tf.Graph().as_default(), tf.Session() as sess:
    model = tf.saved_model.load(sess, ["serve"], folder + "/1")
    signature = model.signature_def["serving_default"]
    show("y", sess.run(signature.outputs["y"].name, {signature.inputs["x"].name: [[1, 1], [1, 2]]}))
