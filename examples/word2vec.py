"""Learns vectors for the words of a made-up language whose words come in groups that go together.

The C++ twin is word2vec.cc.
"""
import numpy as np
import tensorflow as tf

GROUPS, WORDS, SIZE, NEGATIVE = 5, 8, 16, 4
VOCABULARY = GROUPS * WORDS


def pairs(count, random):
    """Words and words near them: mostly of the same group."""
    group = random.randint(GROUPS, size=count)
    word, near = (group * WORDS + random.randint(WORDS, size=count) for _ in range(2))
    other = random.randint(VOCABULARY, size=count)
    return word, np.where(random.rand(count) < 0.9, near, other)


words = tf.placeholder(tf.int32, [None], name="words")
nearby = tf.placeholder(tf.int32, [None], name="nearby")
strangers = tf.placeholder(tf.int32, [None, NEGATIVE], name="strangers")
vectors = tf.Variable(tf.random_uniform([VOCABULARY, SIZE], -0.5, 0.5, seed=1), name="vectors")
contexts = tf.Variable(tf.zeros([VOCABULARY, SIZE]), name="contexts")

word_vectors = tf.gather(vectors, words)
right = tf.reduce_sum(word_vectors * tf.gather(contexts, nearby), axis=1)
wrong = tf.reduce_sum(tf.expand_dims(word_vectors, 1) * tf.gather(contexts, strangers), axis=2)
loss = -tf.reduce_mean(tf.log_sigmoid(right) + tf.reduce_sum(tf.log_sigmoid(-wrong), axis=1))
train = tf.train.AdagradOptimizer(1.0).minimize(loss)

lengths = tf.sqrt(tf.reduce_sum(tf.square(vectors), axis=1, keepdims=True))
similarity = tf.matmul(vectors / lengths, vectors / lengths, transpose_b=True)
_, closest = tf.nn.top_k(similarity, WORDS)

random = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(500):
        word, near = pairs(256, random)
        far = random.randint(VOCABULARY, size=[256, NEGATIVE])
        _, error = sess.run([train, loss], {words: word, nearby: near, strangers: far})
        if step % 100 == 99:
            print(f"step {step + 1}: loss {error:.3f}")
    found = sess.run(closest)
same = found // WORDS == np.arange(VOCABULARY)[:, None] // WORDS
print(f"of the {WORDS} words closest to each word, {same.mean():.0%} are of its group")
