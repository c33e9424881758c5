"""Squeezes digits through sixteen numbers and draws what comes out. The C++ twin is autoencoder.cc."""
import math
import os
import tempfile

import drawn_digits as digits
import tensorflow as tf

STEPS, SHOWN = 1000, 10
FILE = os.path.join(tempfile.gettempdir(), "rill_autoencoder.png")

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
hidden = tf.layers.dense(x, 128, activation=tf.nn.relu)
code = tf.layers.dense(hidden, 16, name="code")
hidden = tf.layers.dense(code, 128, activation=tf.nn.relu)
y = tf.layers.dense(hidden, digits.PIXELS, activation=tf.nn.sigmoid)
loss = tf.losses.mean_squared_error(x, y)
train = tf.train.AdamOptimizer(0.002).minimize(loss)

# One row of pictures above the other: [2, SHOWN, side, side] becomes one picture.
rows = tf.reshape(tf.stack([x, y]), [2, SHOWN, digits.SIDE, digits.SIDE])
grid = tf.reshape(tf.transpose(rows, [0, 2, 1, 3]), [2 * digits.SIDE, SHOWN * digits.SIDE, 1])
large = tf.image.resize_nearest_neighbor([grid], [8 * digits.SIDE, 4 * SHOWN * digits.SIDE])[0]
draw = tf.write_file(FILE, tf.image.encode_png(tf.image.convert_image_dtype(large, tf.uint8)))

drawn, _ = digits.draw(4000)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, STEPS + 1):
        first = 32 * step % len(drawn)
        pictures = drawn[first:first + 32]
        sess.run(train, {x: pictures})
        if step % 200 == 0:
            print(f"step {step} of {STEPS}: loss {sess.run(loss, {x: pictures}):.4f}", flush=True)
    pictures, _ = digits.draw(SHOWN, seed=10_000)
    sess.run(draw, {x: pictures})
    error = sess.run(loss, {x: pictures})
    print(f"unseen digits come out with {-10 * math.log10(error):.1f} dB; before and after: {FILE}")
