import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

w = tf.Variable([1., -2.]); opt = tf.keras.optimizers.Adam(0.1)
for _ in range(3):
    with tf.GradientTape() as t: l = tf.reduce_sum(w * w)
    opt.apply_gradients([(t.gradient(l, w), w)])
print(w.numpy().round(4), int(opt.iterations))
