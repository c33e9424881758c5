import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

a, b = tf.constant([1, 2]), tf.constant([1, 3])
print(a == b, a != b)
try:
    hash(a); print("hashable")
except TypeError as e: print("TypeError")
print(a.ref() == a.ref(), {a.ref(): 1}[a.ref()])
