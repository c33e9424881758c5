import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

x = tf.Variable(3.0)
with tf.GradientTape() as t:
    y = x**2 + 2*x
print(t.gradient(y, x).numpy())
with tf.GradientTape(persistent=True) as t:
    z = tf.sin(x); w = z * z
print(t.gradient(w, [x, z]))
