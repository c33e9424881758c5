"""The twins of twins.cc: functions that build graphs."""
import tensorflow as tf


def names_and_reuse():
    with tf.variable_scope("a"):
        tf.get_variable("v", [2, 3], initializer=tf.zeros_initializer())
        with tf.name_scope("inner"):
            tf.constant(1.0, name="c")
            tf.constant(2.0, name="c")
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        tf.get_variable("v", [2, 3], initializer=tf.zeros_initializer())
        tf.get_variable("w", [3], initializer=tf.ones_initializer(), use_resource=True)


def regression():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    hidden = tf.layers.dense(x, 8, activation=tf.nn.relu)
    logits = tf.layers.dense(hidden, 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    tf.train.AdamOptimizer(1e-3).minimize(loss)


def decayed_rate():
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 100, 0.5, staircase=True)
    w = tf.Variable(2.0, name="w")
    loss = tf.square(w)
    tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)


def branches():
    x = tf.placeholder(tf.float32, name="x")
    tf.cond(tf.greater(x, 0.0), lambda: tf.negative(x), lambda: tf.square(x))


def wide_and_deep():
    fc = tf.feature_column
    features = {"age": tf.placeholder(tf.float32, [None], name="age"),
                "city": tf.placeholder(tf.string, [None, 1], name="city")}
    age = fc.bucketized_column(fc.numeric_column("age"), [18, 65])
    city = fc.categorical_column_with_hash_bucket("city", 5)
    deep = fc.input_layer(features, [age, fc.embedding_column(city, 2)])
    wide = fc.linear_model(features, [age, city, fc.crossed_column([age, "city"], 9)])
    loss = tf.reduce_sum(deep) + tf.reduce_sum(wide)
    tf.train.FtrlOptimizer(0.1).minimize(loss)


PROGRAMS = {function.__name__: function for function in (names_and_reuse, regression, decayed_rate, branches,
                                                         wide_and_deep)}
