"""Moving averages of variables. The C++ twin is averages.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

v = tf.Variable(0.0)
ema = tf.train.ExponentialMovingAverage(0.5)
update = ema.apply([v])
average = ema.average(v)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in [1.0, 2.0, 3.0]:
        sess.run(v.assign(value))
        sess.run(update)
        show("average", sess.run(average))
