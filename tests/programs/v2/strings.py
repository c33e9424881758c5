import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

s = tf.constant(["a b", "c"]); print(tf.strings.split(s).to_list(), tf.strings.length(s).numpy(), tf.strings.upper(s).numpy())
print(tf.strings.join(["x", tf.as_string(3)]).numpy())
