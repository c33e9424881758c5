import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

x = tf.constant([[1., 2.], [3., 4.]])
print(x.shape, x.dtype, tf.executing_eagerly())
print(tf.matmul(x, x) + 1)
print(x.shape[0] + 1, x.shape.as_list(), x.shape[1] == 2)
print(tf.reduce_sum(x, axis=1, keepdims=True).numpy())
print(tf.math.argmax(x, axis=0), tf.random.set_seed(1))
