import tensorflow.compat.v2 as tf
tf.enable_v2_behavior()
import numpy as np

model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu", input_shape=(3,), kernel_initializer="ones"), tf.keras.layers.Dense(1, kernel_initializer="ones")])
opt = tf.keras.optimizers.SGD(0.01)
x = np.arange(12, dtype="float32").reshape(4, 3) / 10; y = x.sum(1, keepdims=True)
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    print("%.4f" % loss.numpy())
