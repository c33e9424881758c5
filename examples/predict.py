"""Loads a SavedModel that reads digits and asks it about some that are drawn here. The C++ twin is predict.cc."""
import sys

import drawn_digits as digits
import tensorflow as tf

if len(sys.argv) != 2:
    sys.exit("usage: rill run predict.py MODEL")
pictures, numbers = digits.draw(12, seed=42)
with tf.Session() as sess:
    model = tf.saved_model.load(sess, ["serve"], sys.argv[1])
    signature = model.signature_def["serving_default"]
    found = sess.run(signature.outputs["digit"].name, {signature.inputs["x"].name: pictures})
print("the model says:", *found, "  drawn were:", *numbers)
