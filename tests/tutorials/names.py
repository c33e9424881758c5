"""Scopes, names and collections. The C++ twin is names.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

with tf.variable_scope("layer"):
    tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    with tf.name_scope("inner"):
        y = tf.constant(1.0, name="y")
        tf.add_to_collection("mine", y)
        print(y.name)
with tf.variable_scope("layer", reuse=True):
    print(tf.get_variable("w", [2]).name)
print(tf.add(1, 2).name)
print(tf.add(1, 2).name)
with tf.Session() as sess:
    for y in tf.get_collection("mine"):
        show(y.name, sess.run(y))
