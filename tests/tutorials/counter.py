"""A variable that counts. The C++ twin is counter.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

state = tf.Variable(0, name="counter")
update = tf.assign(state, state + 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("first", sess.run(state))
    for _ in range(3):
        show("next", sess.run(update))
