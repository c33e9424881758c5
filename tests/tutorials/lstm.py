"""An LSTM and a layer on its last state. The C++ twin is lstm.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.reshape(tf.range(8.0), [2, 4, 1]) / 8
with tf.variable_scope("net", initializer=tf.constant_initializer(0.2)):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    _, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_sum(tf.layers.dense(state.h, 1))
grads = tf.gradients(loss, tf.trainable_variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("c", sess.run(state.c))
    show("loss", sess.run(loss))
    for grad in grads:
        show("norm", sess.run(tf.norm(grad)))
