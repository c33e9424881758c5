"""Trains, saves, and goes on from the files: a checkpoint and a SavedModel. The C++ twin is saving.cc."""
import os
import shutil
import tempfile

import drawn_digits as digits
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "rill_saving")
CHECKPOINTS = os.path.join(FOLDER, "checkpoints")
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(CHECKPOINTS)  # a Saver makes no folders
pictures, numbers = digits.draw(1000, seed=10_000)

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
logits = tf.layers.dense(tf.layers.dense(x, 64, activation=tf.nn.relu), digits.CLASSES)
digit = tf.argmax(logits, 1, output_type=tf.int32)
step = tf.train.get_or_create_global_step()
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss, global_step=step)
saver = tf.train.Saver()


def learn(sess, steps):
    for i in range(steps):
        batch = digits.draw(64, seed=i)
        sess.run(train, {x: batch[0], labels: batch[1]})


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    learn(sess, 200)
    print("saved:", saver.save(sess, os.path.join(CHECKPOINTS, "model"), global_step=step))

with tf.Session() as sess:
    saver.restore(sess, tf.train.latest_checkpoint(CHECKPOINTS))
    print("restored at step", sess.run(step))
    learn(sess, 200)
    tf.saved_model.simple_save(sess, os.path.join(FOLDER, "model"), {"x": x}, {"digit": digit})
    before = sess.run(digit, {x: pictures})

# Whoever has the folder needs nothing of the above: `rill show` tells what a model can be asked for.
with tf.Session(graph=tf.Graph()) as sess:
    model = tf.saved_model.load(sess, ["serve"], os.path.join(FOLDER, "model"))
    signature = model.signature_def["serving_default"]
    found = sess.run(signature.outputs["digit"].name, {signature.inputs["x"].name: pictures})
    print("the loaded model answers as before:", bool((found == before).all()))
    print(f"accuracy on unseen digits: {(found == numbers).mean():.3f}")
