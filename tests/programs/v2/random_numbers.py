import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

tf.random.set_seed(3); a = tf.random.uniform([2]); b = tf.random.normal([2], seed=1)
tf.random.set_seed(3); print(np.allclose(a, tf.random.uniform([2])), a.numpy().round(5), b.numpy().round(4))
print(tf.random.stateless_uniform([2], seed=[1, 2]).numpy().round(5))
