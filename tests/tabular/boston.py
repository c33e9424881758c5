"""Prices of houses, told by a deep net."""
import sys

import numpy as np
import tensorflow as tf

rows = np.genfromtxt(f"{sys.argv[1]}/boston_house_prices.csv", delimiter=",", skip_header=1).astype(np.float32)
rows = rows[np.random.RandomState(0).permutation(len(rows))]
x, y = rows[:, :-1], rows[:, -1]
x = (x - x[:400].mean(axis=0)) / x[:400].std(axis=0)

tf.logging.set_verbosity(tf.logging.ERROR)
model = tf.estimator.DNNRegressor([64, 32], [tf.feature_column.numeric_column("x", shape=(13,))],
                                  optimizer=tf.train.AdamOptimizer(0.005),
                                  config=tf.estimator.RunConfig(tf_random_seed=1))
model.train(tf.estimator.inputs.numpy_input_fn({"x": x[:400]}, y[:400], batch_size=50, num_epochs=150, shuffle=True))
found = model.evaluate(tf.estimator.inputs.numpy_input_fn({"x": x[400:]}, y[400:], num_epochs=1, shuffle=False))
print("root of the mean squared error {:.3f}".format(found["average_loss"] ** 0.5))
