import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

x = tf.constant([1., 2.]); print(np.add(x, 1), np.array(x).dtype, (np.float32(2) * x).numpy(), x.numpy().tolist(), float(x[0]), len(x))
print(tf.constant(np.eye(2)).dtype, tf.cast(x, tf.int32), x[..., tf.newaxis].shape, x[::-1].numpy())
