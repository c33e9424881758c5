import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

a = tf.keras.Input((2,)); b = tf.keras.Input((2,))
h = tf.keras.layers.concatenate([a, b]); o = tf.keras.layers.Dense(1, kernel_initializer="ones")(h)
m = tf.keras.Model([a, b], o); print(m([np.ones((1, 2), "f"), np.ones((1, 2), "f")]).numpy(), len(m.layers))
