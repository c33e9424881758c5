"""Two networks, one of which draws digits until the other takes them for real. The C++ twin is gan.cc."""
import os
import tempfile

import drawn_digits as digits
import tensorflow as tf

STEPS, BATCH, NOISE, SHOWN = 3000, 64, 32, 8
FILE = os.path.join(tempfile.gettempdir(), "rill_gan.png")


def painter(noise):
    with tf.variable_scope("painter"):
        hidden = tf.layers.dense(noise, 256, activation=tf.nn.leaky_relu)
        return tf.layers.dense(hidden, digits.PIXELS, activation=tf.nn.sigmoid)


def judge(pictures):
    with tf.variable_scope("judge", reuse=tf.AUTO_REUSE):
        hidden = tf.layers.dense(pictures, 256, activation=tf.nn.leaky_relu, name="hidden")
        return tf.layers.dense(hidden, 1, name="verdict")


def step_of(loss, scope):
    variables = tf.trainable_variables(scope)
    return tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(loss, var_list=variables)


tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
painted = painter(tf.random_normal([BATCH, NOISE]))
real, feigned = judge(x), judge(painted)
loss = tf.losses.sigmoid_cross_entropy(tf.fill(tf.shape(real), 0.9), real) \
    + tf.losses.sigmoid_cross_entropy(tf.zeros_like(feigned), feigned)
painter_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(feigned), feigned)
train = tf.group(step_of(loss, "judge"), step_of(painter_loss, "painter"))

# BATCH pictures in rows of SHOWN.
grid = tf.reshape(painted, [BATCH // SHOWN, SHOWN, digits.SIDE, digits.SIDE])
grid = tf.reshape(tf.transpose(grid, [0, 2, 1, 3]), [BATCH // SHOWN * digits.SIDE, SHOWN * digits.SIDE, 1])
large = tf.image.resize_nearest_neighbor([grid], [3 * side for side in grid.shape[:2].as_list()])[0]
draw = tf.write_file(FILE, tf.image.encode_png(tf.image.convert_image_dtype(large, tf.uint8)))

drawn, _ = digits.draw(2048)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, STEPS + 1):
        first = BATCH * step % len(drawn)
        pictures = drawn[first:first + BATCH]
        sess.run(train, {x: pictures})
        if step % 500 == 0:
            losses = sess.run([loss, painter_loss], {x: pictures})
            print(f"step {step} of {STEPS}: judge {losses[0]:.3f}, painter {losses[1]:.3f}", flush=True)
    sess.run(draw)
    print(f"{BATCH} digits that nobody drew: {FILE}")
