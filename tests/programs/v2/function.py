import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

@tf.function
def f(x, y): return x * y + 1
print(f(tf.constant(2.), tf.constant(3.)))
