"""Reads digits with convolutions, batch normalisation and dropout. The C++ twin is convolutional.cc."""
import drawn_digits as digits
import tensorflow as tf

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, digits.PIXELS], name="x")
labels = tf.placeholder(tf.int32, [None], name="labels")
training = tf.placeholder_with_default(False, [], name="training")

y = tf.reshape(x, [-1, digits.SIDE, digits.SIDE, 1])
y = tf.layers.conv2d(y, 16, 3, padding="same", use_bias=False)
y = tf.nn.relu(tf.layers.batch_normalization(y, momentum=0.9, training=training))
y = tf.layers.max_pooling2d(y, 2, 2)
y = tf.layers.flatten(tf.layers.conv2d(y, 16, 3, padding="same", activation=tf.nn.relu))
y = tf.layers.dropout(y, 0.3, training=training)
logits = tf.layers.dense(y, digits.CLASSES, name="output")

loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(0.003).minimize(loss)
right = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(300):
        pictures, numbers = digits.draw(64, seed=i)
        _, error = sess.run([train, loss], {x: pictures, labels: numbers, training: True})
        if i % 100 == 99:
            print(f"step {i + 1}: loss {error:.3f}")
    pictures, numbers = digits.draw(1000, seed=10_000)
    print(f"accuracy on unseen digits: {sess.run(accuracy, {x: pictures, labels: numbers}):.3f}")
