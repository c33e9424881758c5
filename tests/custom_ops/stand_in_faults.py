"""Loses the card of a library at every point of what programs do: the library is argument 1, a folder
argument 2. Each loss ends in an error that names the card, and once it is back the program goes on."""
import ctypes
import sys

import numpy as np
import tensorflow as tf

LIBRARY, FOLDER = sys.argv[1:]
tf.load_op_library(LIBRARY)
CARD = ctypes.CDLL(LIBRARY)
EVENTS = {"kernel": 0, "copy": 1, "allocation": 2}
MOST = 60


def lose_everywhere(name, run, again=None):
    """Calls `run` with the card lost at its first, second, ... event of each kind, until it ends well."""
    wanted = run()
    losses = 0
    for kind in EVENTS.values():
        for count in range(1, MOST):
            CARD.stand_in_lose_at(kind, count)
            error = None
            try:
                run()
            except Exception as raised:
                error = raised
            CARD.stand_in_find_again()
            if error is None:
                break
            losses += 1
            if "STANDIN:0 was lost" not in str(error):
                print("unnamed", name, kind, count, type(error).__name__, str(error)[:300])
            if not np.array_equal((again or run)(), wanted):
                print("differs afterwards", name, kind, count)
    print(name, losses > 3)


def loop():
    x = tf.placeholder(tf.float32, [3, 3])
    w = tf.get_variable("w", initializer=np.full((3, 3), 0.5, "f"), use_resource=True)
    _, last = tf.while_loop(lambda i, y: tf.logical_and(i < 5, tf.reduce_sum(y) < 1e6),
                            lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))), [tf.constant(0), x])
    gradient = tf.gradients(tf.reduce_sum(last), w)[0]
    with tf.Session() as session:
        session.run(w.initializer)
        lose_everywhere("loop", lambda: session.run(gradient, {x: np.ones((3, 3))}))


def pipeline(prefetched):
    rows = np.arange(24, dtype="f").reshape(6, 4)
    dataset = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: 2 * row)
    if prefetched:
        dataset = dataset.apply(tf.data.experimental.prefetch_to_device("/device:STANDIN:0", buffer_size=2))
    else:
        dataset = dataset.batch(2).prefetch(2)
    iterator = dataset.make_initializable_iterator()
    total = tf.reduce_sum(tf.exp(iterator.get_next() / 100))
    with tf.Session() as session:
        def run():
            session.run(iterator.initializer)
            found = []
            while True:
                try:
                    found.append(session.run(total))
                except tf.errors.OutOfRangeError:
                    return found
        lose_everywhere(f"pipeline {prefetched}", run)


def checkpoints():
    v = tf.get_variable("large", initializer=np.arange(700_000, dtype="f"), use_resource=True)
    w = tf.get_variable("small", initializer=np.arange(5, dtype="f"))
    total = tf.stack([tf.reduce_sum(v[:5]), tf.reduce_sum(w), v[-1]])
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        wanted = session.run(total)

        def run():
            saver.save(session, f"{FOLDER}/faulty")
            saver.restore(session, f"{FOLDER}/faulty")
            return session.run(total)
        lose_everywhere("checkpoints", run)
        if not np.array_equal(session.run(total), wanted):
            print("checkpoints changed what they hold")


def partial_run():
    a, b = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    first = tf.exp(a)
    with tf.device("/cpu:0"):
        second = first * tf.identity(b)
    third = tf.tanh(second)
    with tf.Session() as session:
        def run():
            handle = session.partial_run_setup([first, third], [a, b])
            found = session.partial_run(handle, first, {a: [1, 2]})
            return session.partial_run(handle, third, {b: found})
        lose_everywhere("partial run", run)


def main():
    for part in (loop, lambda: pipeline(True), lambda: pipeline(False), checkpoints, partial_run):
        with tf.Graph().as_default():
            part()


main()
