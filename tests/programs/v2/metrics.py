import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

m = tf.keras.metrics.Mean(); m.update_state([1., 3.]); m(8.); print(m.result().numpy())
a = tf.keras.metrics.SparseCategoricalAccuracy(); a.update_state([0, 1], [[.9, .1], [.8, .2]]); print(a.result().numpy())
m.reset_states(); print(m.result().numpy())
