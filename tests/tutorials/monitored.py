"""Trains until a hook says that it is enough. The C++ twin is monitored.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

step = tf.train.get_or_create_global_step()
w = tf.Variable(10.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w), global_step=step)
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=5)]) as sess:
    while not sess.should_stop():
        _, value = sess.run([train, w])
        show("w", value)
