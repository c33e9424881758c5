import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

v = tf.Variable([1., 2.], name="w")
print(v)
v.assign_add([1., 1.]); print(v.numpy(), v.name, v.trainable, v.shape)
v[0].assign(9.); print(v.read_value())
print(tf.convert_to_tensor(v))
