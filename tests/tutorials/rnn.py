"""A recurrent network over sequences of different lengths. The C++ twin is rnn.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.reshape(tf.range(12.0), [2, 3, 2]) / 10
with tf.variable_scope("rnn", initializer=tf.constant_initializer(0.1)):
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=[3, 2], dtype=tf.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show("outputs", sess.run(outputs))
    show("state", sess.run(state))
