"""Trains a network on the CPU and, once a library has added the device, on that: argument 1 is the
library, argument 2 a folder for checkpoints."""
import sys

import numpy as np
import tensorflow as tf

LIBRARY, FOLDER = sys.argv[1:]
IMAGES = np.random.RandomState(1).rand(24, 12).astype(np.float32)
LABELS = np.arange(24) % 3


def config():
    made = tf.ConfigProto(allow_soft_placement=True)
    made.graph_options.rewrite_options.disable_meta_optimizer = True  # the same kernels on both
    return made


def train(optimizer, name):
    """The losses, the variables before and after a checkpoint, and where what ran."""
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        x = tf.placeholder(tf.float32, [None, 12])
        labels = tf.placeholder(tf.int64, [None])
        hidden = tf.layers.dense(x, 16, activation=tf.nn.tanh)
        hidden = tf.layers.batch_normalization(hidden, training=True)
        logits = tf.layers.dense(hidden, 3)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        step = tf.train.get_or_create_global_step()
        minimize = optimizer().minimize(loss, step)
        saver = tf.train.Saver()
        with tf.Session(config=config()) as session:
            session.run(tf.global_variables_initializer())
            losses = []
            for i in range(6):
                feed = {x: IMAGES[4 * i:4 * i + 4], labels: LABELS[4 * i:4 * i + 4]}
                losses.append(session.run([loss, minimize], feed)[0])
            metadata = tf.RunMetadata()
            session.run(minimize, feed, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
            path = saver.save(session, f"{FOLDER}/{name}")
            values = session.run(tf.global_variables())
        with tf.Session(config=config()) as session:
            saver.restore(session, path)
            restored = session.run(tf.global_variables())
    ran = {node.node_name: device.device for device in metadata.step_stats.dev_stats
           for node in device.node_stats}
    return losses, values, restored, ran


def same(mine, theirs):
    return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


OPTIMIZERS = {"sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
              "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
              "adam": lambda: tf.train.AdamOptimizer(0.01)}
on_cpu = {name: train(make, f"cpu_{name}") for name, make in OPTIMIZERS.items()}
tf.load_op_library(LIBRARY)
print([device.name for device in tf.Session().list_devices()])
print(tf.config.experimental.list_physical_devices("STANDIN"))
for name, make in OPTIMIZERS.items():
    losses, values, restored, ran = train(make, f"there_{name}")
    cpu_losses, cpu_values, _, _ = on_cpu[name]
    updates = {device[-9:] for node, device in ran.items() if "update_dense" in node and "Apply" in node}
    print(name, "losses", same(losses, cpu_losses), "values", same(values, cpu_values),
          "restored", same(restored, values), "updates", sorted(updates))
