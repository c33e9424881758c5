"""Reads digits line by line with an LSTM. The C++ twin is recurrent.cc."""
import drawn_digits as digits
import tensorflow as tf

STEPS = 400

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
lines = tf.reshape(x, [-1, digits.SIDE, digits.SIDE])
cell = tf.nn.rnn_cell.LSTMCell(64)
_, state = tf.nn.dynamic_rnn(cell, lines, dtype=tf.float32)
logits = tf.layers.dense(state.h, digits.CLASSES)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
right = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, STEPS + 1):
        pictures, numbers = digits.draw(32, seed=step)
        _, error = sess.run([train, loss], {x: pictures, labels: numbers})
        if step % 100 == 0:
            print(f"step {step} of {STEPS}: loss {error:.3f}", flush=True)
    pictures, numbers = digits.draw(1000, seed=10_000)
    print(f"accuracy on unseen digits: {sess.run(accuracy, {x: pictures, labels: numbers}):.3f}")
