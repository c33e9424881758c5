"""What sessions and graphs cost beside the kernels: groups overhead, latency and build."""
import concurrent.futures
import functools
import tempfile
import time

import numpy as np

from workloads import Workload

NODES = 1000


def in_graph(make):
    """A workload whose nodes are made in a graph of its own."""
    @functools.wraps(make)
    def made(tf, setting):
        with tf.Graph().as_default():
            return make(tf)
    return made


def stepper(tf, x, y, value):
    session, feed = tf.Session(), {x: value}
    return lambda: session.run(y, feed)


# Overhead: nodes whose kernels do next to nothing.

@in_graph
def add_chain_1000(tf):
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(NODES):
        y = tf.raw_ops.AddV2(x=y, y=x)
    return stepper(tf, x, y, np.float32(1))


def torch_add_chain_1000(torch, setting):
    x = torch.ones([])

    def step():
        y = x
        for _ in range(NODES):
            y = y + x
        return y
    return step


@in_graph
def add_fan_1000(tf):
    x = tf.placeholder(tf.float32, [])
    leaves = [tf.raw_ops.AddV2(x=x, y=np.float32(i)) for i in range(NODES)]
    return stepper(tf, x, tf.raw_ops.AddN(inputs=leaves), np.float32(1))


def torch_add_fan_1000(torch, setting):
    x, others = torch.ones([]), [torch.tensor(float(i)) for i in range(NODES)]
    return lambda: torch.stack([x + other for other in others]).sum()


@in_graph
def while_loop_100000(tf):
    limit = tf.placeholder(tf.int32, [])
    i = tf.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(0)])
    return stepper(tf, limit, i, np.int32(100_000))


def torch_while_loop_100000(torch, setting):
    """As PyTorch compiles a loop over tensors."""
    source = """
def count(limit: Tensor):
    i = torch.zeros([], dtype=torch.int32)
    while bool(i < limit):
        i = i + 1
    return i
"""
    count, limit = torch.jit.CompilationUnit(source).count, torch.tensor(100_000, dtype=torch.int32)
    return lambda: count(limit)


@in_graph
def while_gradient_1000(tf):
    x = tf.placeholder(tf.float32, [])
    _, s = tf.while_loop(lambda i, s: i < 1000, lambda i, s: (i + 1, s * x), (0, x))
    return stepper(tf, x, tf.gradients(s, x)[0], np.float32(0.999))


def torch_while_gradient_1000(torch, setting):
    x = torch.tensor(0.999, requires_grad=True)

    def step():
        s = x
        for _ in range(1000):
            s = s * x
        return torch.autograd.grad(s, x)[0]
    return step


@in_graph
def queue_2_producers_2_consumers(tf):
    """Two threads put 200 small tensors each into a queue, two others take them out."""
    queue = tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shapes=[[16]], capacity=32)
    put = tf.raw_ops.QueueEnqueueV2(handle=queue, components=[np.ones(16, np.float32)])
    take = tf.raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.float32])
    session, threads = tf.Session(), concurrent.futures.ThreadPoolExecutor(4)

    def run_200(what):
        for _ in range(200):
            session.run(what)

    return lambda: list(threads.map(run_200, (put, put, take, take))) and None


# Latency: whole runs.

@in_graph
def noop_run(tf):
    op, session = tf.raw_ops.NoOp(), tf.Session()
    return lambda: session.run(op)


@in_graph
def feed_fetch_scalar(tf):
    x = tf.placeholder(tf.float32, [])
    return stepper(tf, x, tf.raw_ops.Neg(x=x), np.float32(1))


def torch_feed_fetch_scalar(torch, setting):
    value = np.ones([], np.float32)
    return lambda: (-torch.from_numpy(value)).numpy()


@in_graph
def feed_fetch_4mb(tf):
    x = tf.placeholder(tf.float32, [1000, 1000])
    return stepper(tf, x, tf.raw_ops.Neg(x=x), np.ones([1000, 1000], np.float32))


def torch_feed_fetch_4mb(torch, setting):
    value = np.ones([1000, 1000], np.float32)
    return lambda: (-torch.from_numpy(value)).numpy()


LAYERS = ((784, 256), (256, 256), (256, 10))


def layer_weights():
    return [np.linspace(-1, 1, a * b, dtype=np.float32).reshape(a, b) for a, b in LAYERS]


def mlp_forward(rows):
    def graph(tf):
        h = x = tf.placeholder(tf.float32, [None, 784])
        for weights in layer_weights():
            h = tf.raw_ops.Tanh(x=tf.raw_ops.MatMul(a=h, b=weights))
        return stepper(tf, x, h, np.ones([rows, 784], np.float32))

    def torch_step(torch, setting):
        value, layers = np.ones([rows, 784], np.float32), [torch.from_numpy(w) for w in layer_weights()]

        def step():
            with torch.inference_mode():
                h = torch.from_numpy(value)
                for weights in layers:
                    h = torch.tanh(torch.matmul(h, weights))
                return h.numpy()
        return step

    return Workload(f"mlp_forward_{rows}", in_graph(graph), torch_step)


def counted_step(tf):
    """The global step, counted: the least that a training step does."""
    return tf.assign_add(tf.train.get_or_create_global_step(), 1).op


@in_graph
def bare_train_step(tf):
    train, session = counted_step(tf), tf.Session()
    session.run(tf.global_variables_initializer())
    return lambda: session.run(train)


@in_graph
def monitored_train_step(tf):
    """The same in a MonitoredTrainingSession with its own hooks."""
    train = counted_step(tf)
    session = tf.train.MonitoredTrainingSession(checkpoint_dir=tempfile.mkdtemp(), log_step_count_steps=100_000)
    return lambda: session.run(train)


# Build: graphs made, and made larger.

def import_10000_nodes(tf, setting):
    with tf.Graph().as_default() as graph:
        y = x = tf.placeholder(tf.float32, [])
        for _ in range(10_000 - 1):
            y = tf.raw_ops.AddV2(x=y, y=x)
        graph_def = graph.as_graph_def()

    def step():
        with tf.Graph().as_default():
            tf.import_graph_def(graph_def, name="")

    return step


def layers_of_2000_ops(tf):
    """A deep net as a program writes it: operators, name scopes, variables."""
    h = tf.placeholder(tf.float32, [None, 8], name="x")
    weights = [tf.Variable(np.full([8, 8], 0.1, np.float32), name=f"w{i}") for i in range(10)]
    for i in range(330):
        with tf.name_scope("layer"):
            h = tf.tanh(tf.matmul(h, weights[i % 10]) * 0.5 + h) - 0.25
    return h, weights


def build_2000_ops(tf, setting):
    def step():
        with tf.Graph().as_default():
            layers_of_2000_ops(tf)

    return step


def gradients_of_2000_ops(tf, setting):
    """Every step differentiates a graph of its own; only that is timed."""
    def step():
        with tf.Graph().as_default():
            h, weights = layers_of_2000_ops(tf)
            start = time.perf_counter()
            tf.gradients(h, weights)
            return time.perf_counter() - start

    step.times_itself = True
    return step


def new_node_in_graph(count):
    def graph(tf):
        one, session = tf.constant(1.0), tf.Session()
        for _ in range(count):
            tf.raw_ops.Neg(x=one)
        session.run(one)

        def step():
            with one.graph.as_default():
                return session.run(tf.raw_ops.Neg(x=one))
        return step

    return Workload(f"new_node_in_graph_{count}", in_graph(graph))


def workloads(group):
    return {
        "overhead": [
            Workload("add_chain_1000", add_chain_1000, torch_add_chain_1000),
            Workload("add_fan_1000", add_fan_1000, torch_add_fan_1000),
            Workload("while_loop_100000", while_loop_100000, torch_while_loop_100000),
            Workload("while_gradient_1000", while_gradient_1000, torch_while_gradient_1000),
            Workload("queue_2_producers_2_consumers", queue_2_producers_2_consumers)],
        "latency": [
            Workload("noop_run", noop_run),
            Workload("feed_fetch_scalar", feed_fetch_scalar, torch_feed_fetch_scalar),
            Workload("feed_fetch_4mb", feed_fetch_4mb, torch_feed_fetch_4mb, bytes=8e6),
            mlp_forward(1), mlp_forward(128),
            Workload("bare_train_step", bare_train_step),
            Workload("monitored_train_step", monitored_train_step)],
        "build": [
            Workload("build_2000_ops", build_2000_ops),
            Workload("gradients_of_2000_ops", gradients_of_2000_ops),
            Workload("import_10000_nodes", import_10000_nodes),
            new_node_in_graph(100), new_node_in_graph(10_000)],
    }[group]
