"""A learning rate that falls with the global step. The C++ twin is decay.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
w = tf.Variable(1.0)
train = tf.train.GradientDescentOptimizer(rate).minimize(w * w, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        show("rate", sess.run(rate))
        sess.run(train)
    show("step", sess.run(step))
    show("w", sess.run(w))
