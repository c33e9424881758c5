"""Reads digits with one layer of weights. The C++ twin is logistic_regression.cc."""
import drawn_digits as digits
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
weights = tf.Variable(tf.zeros([digits.PIXELS, digits.CLASSES]), name="weights")
bias = tf.Variable(tf.zeros([digits.CLASSES]), name="bias")

logits = tf.matmul(x, weights) + bias
wanted = tf.one_hot(labels, digits.CLASSES)
log_probability = logits - tf.reduce_logsumexp(logits, axis=1, keepdims=True)
loss = -tf.reduce_mean(tf.reduce_sum(wanted * log_probability, axis=1))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
right = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(400):
        pictures, numbers = digits.draw(64, seed=step)
        _, error = sess.run([train, loss], {x: pictures, labels: numbers})
        if step % 100 == 99:
            print(f"step {step + 1}: loss {error:.3f}")
    pictures, numbers = digits.draw(1000, seed=10_000)
    print(f"accuracy on unseen digits: {sess.run(accuracy, {x: pictures, labels: numbers}):.3f}")
