import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

r = tf.ragged.constant([[1, 2], [3]]); print(r.to_list(), tf.reduce_sum(r, axis=1).numpy())
