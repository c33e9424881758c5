import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

s = tf.sparse.SparseTensor([[0, 1]], [2.], [2, 2]); print(tf.sparse.to_dense(s).numpy().tolist())
im = tf.ones([1, 4, 4, 3]); print(tf.image.resize(im, [2, 2]).shape, tf.image.rgb_to_grayscale(im).shape, tf.image.flip_left_right(im).shape)
print(tf.one_hot([0, 2], 3).numpy().tolist(), tf.linalg.inv([[2., 0.], [0., 4.]]).numpy().tolist())
