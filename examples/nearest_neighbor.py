"""Reads digits by looking for the most similar known one. The C++ twin is nearest_neighbor.cc."""
import drawn_digits as digits
import tensorflow as tf

known = tf.placeholder(tf.float32, [None, digits.PIXELS], name="known")
picture = tf.placeholder(tf.float32, [digits.PIXELS], name="picture")
distance = tf.reduce_sum(tf.abs(known - picture), axis=1)
nearest = tf.argmin(distance, 0)

pictures, numbers = digits.draw(2000)
unseen, answers = digits.draw(100, seed=1)
with tf.Session() as sess:
    found = [numbers[sess.run(nearest, {known: pictures, picture: one})] for one in unseen]
print(f"right: {sum(a == b for a, b in zip(found, answers))} of {len(answers)}")
