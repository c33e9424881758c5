"""Makes what retrain needs, so that nothing is downloaded: folders of JPEG files, and a network to build on.

The network learns to tell the digits 0 to 4 from each other; the pictures show 5 to 9, which it has never seen.
"""
import os

import drawn_digits as digits
import numpy as np
import tensorflow as tf

tf.flags.DEFINE_string("folder", "/tmp/rill_retrain", "where all of it goes")
tf.flags.DEFINE_integer("pictures", 60, "how many of each digit")
FLAGS = tf.flags.FLAGS
KNOWN = 5
NAMES = {5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def draw(count, seed, wanted):
    """Digits that `wanted` says yes to."""
    pictures, numbers = digits.draw(count, seed=seed)
    kept = wanted(numbers)
    return pictures[kept], numbers[kept]


def write_pictures(folder):
    pictures, numbers = draw(20 * FLAGS.pictures, 1, lambda n: n >= KNOWN)
    pixels = tf.placeholder(tf.float32, [digits.PIXELS])
    square = tf.reshape(pixels * 255, [digits.SIDE, digits.SIDE, 1])
    jpeg = tf.image.encode_jpeg(tf.cast(tf.image.grayscale_to_rgb(square), tf.uint8), quality=95)
    with tf.Session() as sess:
        for number, name in NAMES.items():
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            for i, picture in enumerate(pictures[numbers == number][:FLAGS.pictures]):
                with open(os.path.join(folder, name, f"{i:03}.jpg"), "wb") as file:
                    file.write(sess.run(jpeg, {pixels: picture}))


def make_trunk(folder):
    tf.set_random_seed(1)
    image = tf.placeholder(tf.float32, [None, digits.SIDE, digits.SIDE, 3], name="image")
    labels = tf.placeholder(tf.int32, [None])
    y = tf.layers.conv2d(image, 16, 3, padding="same", activation=tf.nn.relu)
    y = tf.layers.max_pooling2d(y, 2, 2)
    y = tf.layers.conv2d(y, 32, 3, padding="same", activation=tf.nn.relu)
    y = tf.layers.flatten(tf.layers.max_pooling2d(y, 2, 2))
    bottleneck = tf.layers.dense(y, 64, activation=tf.nn.relu, name="bottleneck")
    bottleneck = tf.identity(bottleneck, name="feature_vector")
    logits = tf.layers.dense(bottleneck, KNOWN)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer(0.003).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(120):
            pictures, numbers = draw(80, 100 + i, lambda n: n < KNOWN)
            squares = pictures.reshape(-1, digits.SIDE, digits.SIDE, 1) * 2 - 1
            sess.run(train, {image: np.repeat(squares, 3, axis=3), labels: numbers})
        tf.saved_model.simple_save(sess, os.path.join(folder, "trunk"), {"image": image},
                                   {"feature_vector": bottleneck})
        frozen = tf.graph_util.convert_variables_to_constants(
            sess, tf.get_default_graph().as_graph_def(), ["feature_vector"])
        tf.train.write_graph(frozen, folder, "trunk.pb", as_text=False)


def main(_):
    with tf.Graph().as_default():
        write_pictures(os.path.join(FLAGS.folder, "pictures"))
    make_trunk(FLAGS.folder)
    print(f"pictures, trunk (a SavedModel) and trunk.pb (a frozen graph) are in {FLAGS.folder}")


if __name__ == "__main__":
    tf.app.run()
