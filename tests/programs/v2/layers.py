import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

l = tf.keras.layers
x = tf.ones([1, 4, 4, 1])
print(l.Conv2D(2, 3, kernel_initializer="ones")(x).numpy().ravel(), l.MaxPooling2D()(x).shape, l.Flatten()(x).shape)
b = l.BatchNormalization(); y = b(tf.constant([[1.], [3.]]), training=True); print(y.numpy().round(2).ravel(), b.moving_mean.numpy())
print(l.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones")(tf.ones([1, 3, 2])).numpy().round(4))
print(l.Embedding(4, 2, embeddings_initializer="ones")(tf.constant([[1, 2]])).numpy().tolist())
