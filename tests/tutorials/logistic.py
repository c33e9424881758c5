"""Logistic regression on four points. The C++ twin is logistic.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
labels = tf.constant([[0.0], [1.0], [1.0], [1.0]])
w, b = tf.Variable(tf.zeros([2, 1])), tf.Variable(tf.zeros([1]))
logits = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
train = tf.train.MomentumOptimizer(0.5, 0.9).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(200):
        sess.run(train)
    show("loss", sess.run(loss))
    show("answers", sess.run(tf.round(tf.sigmoid(logits))))
