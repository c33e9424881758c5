"""Pictures: sizes, colours, mirrors. The C++ twin is pictures.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

picture = tf.reshape(tf.range(24.0), [2, 4, 3])
small = tf.image.resize_bilinear(tf.expand_dims(picture, 0), [1, 2])
with tf.Session() as sess:
    show("small", sess.run(small))
    show("mirrored", sess.run(tf.image.flip_left_right(picture)))
    show("grey", sess.run(tf.image.rgb_to_grayscale(picture)))
    show("brighter", sess.run(tf.image.adjust_brightness(picture, 0.5)))
    show("middle", sess.run(tf.image.central_crop(picture, 0.5)))
