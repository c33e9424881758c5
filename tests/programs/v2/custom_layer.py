import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

class D(tf.keras.layers.Layer):
    def __init__(self, units): super().__init__(); self.units = units
    def build(self, s): self.w = self.add_weight(name="w", shape=(s[-1], self.units), initializer="ones", trainable=True)
    def call(self, x): return tf.matmul(x, self.w)
d = D(3); print(d(tf.ones([1, 2])).numpy(), d.w.name)
