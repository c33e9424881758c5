import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

def f(x):
    if x > 2: return x * 2
    return x
print(f(tf.constant(3)), tf.cond(tf.constant(True), lambda: 1, lambda: 2))
i = tf.constant(0)
while i < 3: i += 1
print(i, tf.while_loop(lambda i: i < 5, lambda i: (i + 1,), [tf.constant(0)]))
print([int(x) for x in tf.range(3)])
print(tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])))
