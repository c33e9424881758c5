"""Saves variables and reads them into another session. The C++ twin is checkpoints.cc."""
import tempfile

import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

folder = tempfile.mkdtemp()
v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(5, name="w")
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(v.assign(v * 10.0))
    saver.save(sess, folder + "/model", global_step=3)
with tf.Session() as sess:
    saver.restore(sess, tf.train.latest_checkpoint(folder))
    show("v", sess.run(v))
    show("w", sess.run(w))
    show("names", tf.train.latest_checkpoint(folder)[len(folder):])
