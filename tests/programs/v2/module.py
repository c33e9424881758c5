import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

class Lin(tf.Module):
    def __init__(self):
        super().__init__(name="lin"); self.w = tf.Variable(2., name="w"); self.b = tf.Variable(1., name="b", trainable=False)
    def __call__(self, x): return self.w * x + self.b
m = Lin(); print(m(3.).numpy(), [v.name for v in m.variables], len(m.trainable_variables))
