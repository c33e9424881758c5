import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

try: tf.constant([1., 2.]) + tf.constant([1, 2])
except tf.errors.InvalidArgumentError as e: print("InvalidArgumentError")
try: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
except tf.errors.InvalidArgumentError as e: print("InvalidArgumentError")
try: tf.reshape(tf.ones([4]), [3])
except tf.errors.InvalidArgumentError as e: print("InvalidArgumentError")
for name in ("placeholder", "Session", "get_variable", "global_variables_initializer"):
    print(name, hasattr(tf, name))
