"""Measures named cases on request. Runs unchanged under Rill and under TensorFlow.

Reads a case's name from standard input, answers with seconds per step, until the input ends.
"""
import concurrent.futures
import sys
import tempfile
import time

import numpy as np

if len(sys.argv) > 1 and sys.argv[1] == "tensorflow":
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
else:
    import tensorflow as tf

NODES = 1000


def noop_run():
    op = tf.raw_ops.NoOp()
    session = tf.Session()
    return lambda: session.run(op)


def add_chain_1000():
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(NODES):
        y = tf.raw_ops.AddV2(x=y, y=x)
    return stepper(x, y, np.float32(1))


def add_fan_1000():
    x = tf.placeholder(tf.float32, [])
    leaves = [tf.raw_ops.AddV2(x=x, y=np.float32(i)) for i in range(NODES)]
    return stepper(x, tf.raw_ops.AddN(inputs=leaves), np.float32(1))


def feed_fetch_4mb():
    x = tf.placeholder(tf.float32, [1000, 1000])
    return stepper(x, tf.raw_ops.Neg(x=x), np.ones([1000, 1000], np.float32))


def mlp_forward_128():
    x = tf.placeholder(tf.float32, [None, 784])
    h = x
    for rows, columns in ((784, 256), (256, 256), (256, 10)):
        weights = np.linspace(-1, 1, rows * columns, dtype=np.float32).reshape(rows, columns)
        h = tf.raw_ops.Tanh(x=tf.raw_ops.MatMul(a=h, b=weights))
    return stepper(x, h, np.ones([128, 784], np.float32))


def import_10000_nodes():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [])
        y = x
        for _ in range(10_000 - 1):
            y = tf.raw_ops.AddV2(x=y, y=x)
        graph_def = graph.as_graph_def()

    def step():
        with tf.Graph().as_default():
            tf.import_graph_def(graph_def, name="")

    return step


def layers_of_10000_ops():
    """A deep net as a program writes it: operators, name scopes, variables."""
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    weights = [tf.Variable(np.full([8, 8], 0.1, np.float32), name=f"w{i}") for i in range(10)]
    h = x
    for i in range(1660):
        with tf.name_scope("layer"):
            h = tf.tanh(tf.matmul(h, weights[i % 10]) * 0.5 + h) - 0.25
    return h, weights


def build_10000_ops():
    def step():
        with tf.Graph().as_default():
            layers_of_10000_ops()

    return step


def gradients_of_10000_ops():
    # Every step differentiates a graph of its own; only that is timed.
    def step():
        with tf.Graph().as_default():
            h, weights = layers_of_10000_ops()
            start = time.perf_counter()
            tf.gradients(h, weights)
            return time.perf_counter() - start

    step.times_itself = True
    return step


def new_node(count):
    one = tf.constant(1.0)
    for _ in range(count):
        tf.raw_ops.Neg(x=one)
    session = tf.Session()
    session.run(one)
    return lambda: session.run(tf.raw_ops.Neg(x=one))


def new_node_in_graph_100():
    return new_node(100)


def new_node_in_graph_100000():
    return new_node(100_000)


def while_loop_100000():
    limit = tf.placeholder(tf.int32, [])
    i = tf.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(0)])
    return stepper(limit, i, np.int32(100_000))


def while_gradient_1000():
    x = tf.placeholder(tf.float32, [])
    _, s = tf.while_loop(lambda i, s: i < 1000, lambda i, s: (i + 1, s * x), (0, x))
    return stepper(x, tf.gradients(s, x)[0], np.float32(0.999))


def queue_2_producers_2_consumers():
    """Two threads put 200 small tensors each into a queue, two others take them out."""
    queue = tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shapes=[[16]], capacity=32)
    put = tf.raw_ops.QueueEnqueueV2(handle=queue, components=[np.ones(16, np.float32)])
    take = tf.raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.float32])
    session, threads = tf.Session(), concurrent.futures.ThreadPoolExecutor(4)

    def run_200(what):
        for _ in range(200):
            session.run(what)

    return lambda: list(threads.map(run_200, (put, put, take, take)))


def counted_step():
    """The global step, counted: the least that a training step does."""
    return tf.assign_add(tf.train.get_or_create_global_step(), 1).op


def bare_train_step():
    train, session = counted_step(), tf.Session()
    session.run(tf.global_variables_initializer())
    return lambda: session.run(train)


def monitored_train_step():
    """The same in a MonitoredTrainingSession with its own hooks."""
    train = counted_step()
    session = tf.train.MonitoredTrainingSession(checkpoint_dir=tempfile.mkdtemp(), log_step_count_steps=100_000)
    return lambda: session.run(train)


def stepper(x, y, value):
    session = tf.Session()
    feed = {x: value}
    return lambda: session.run(y, feed)


CASES = {f.__name__: f for f in (
    noop_run, add_chain_1000, add_fan_1000, feed_fetch_4mb, mlp_forward_128, import_10000_nodes,
    build_10000_ops, gradients_of_10000_ops, new_node_in_graph_100, new_node_in_graph_100000, while_loop_100000, while_gradient_1000,
    queue_2_producers_2_consumers, bare_train_step, monitored_train_step)}


def measure(step, seconds=0.05):
    """Seconds per call, over as many calls as fit."""
    if getattr(step, "times_itself", False):
        return step()
    count, begin = 0, time.perf_counter()
    while True:
        step()
        count += 1
        elapsed = time.perf_counter() - begin
        if elapsed >= seconds:
            return elapsed / count


def main():
    made = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in made:
            graph = tf.Graph()
            with graph.as_default():
                made[name] = graph, CASES[name]()
                measure(made[name][1], 0.2)  # warm
        graph, step = made[name]
        with graph.as_default():
            print(measure(step), flush=True)


if __name__ == "__main__":
    main()
