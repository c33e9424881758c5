"""Reads digits with two layers. The C++ twin is mlp.cc."""
import drawn_digits as digits
import tensorflow as tf

HIDDEN = 64


def layer(inputs, size, name, activation=None):
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", [inputs.shape[1].value, size])
        bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
        outputs = tf.matmul(inputs, weights) + bias
        return outputs if activation is None else activation(outputs)


tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
logits = layer(layer(x, HIDDEN, "hidden", tf.tanh), digits.CLASSES, "output")
wanted = tf.one_hot(labels, digits.CLASSES)
log_probability = logits - tf.reduce_logsumexp(logits, axis=1, keepdims=True)
loss = -tf.reduce_mean(tf.reduce_sum(wanted * log_probability, axis=1))
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.005, step, 200, 0.7)
train = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)
right = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(600):
        pictures, numbers = digits.draw(64, seed=i)
        _, error = sess.run([train, loss], {x: pictures, labels: numbers})
        if i % 150 == 149:
            print(f"step {sess.run(step)}: loss {error:.3f}")
    pictures, numbers = digits.draw(1000, seed=10_000)
    print(f"accuracy on unseen digits: {sess.run(accuracy, {x: pictures, labels: numbers}):.3f}")
