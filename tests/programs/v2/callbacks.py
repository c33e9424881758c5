import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros", input_shape=(1,))])
m.compile(tf.keras.optimizers.SGD(0.0), "mse")
h = m.fit(np.ones((4, 1), "f"), np.ones((4, 1), "f"), epochs=9, verbose=0, callbacks=[tf.keras.callbacks.EarlyStopping(monitor="loss", patience=1)])
print(len(h.history["loss"]))
