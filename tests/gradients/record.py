"""Builds the gradients of one function and tells their nodes and values."""
import numpy as np

import functions
import linalg_functions  # noqa: F401  (adds to the functions)
import special_functions  # noqa: F401  (the same)


def run(tf, name):
    """{"nodes": {name: [op, inputs]}, "values": [...]}: what tf.gradients added and computes."""
    with tf.Graph().as_default() as graph:
        ys, xs = functions.FUNCTIONS[name](tf)
        before = {op.name for op in graph.get_operations()}
        grads = tf.gradients(ys, xs)
        nodes = {node.name: [node.op, list(node.input)] for node in graph.as_graph_def().node
                 if node.name not in before}
        feeds = {op.outputs[0]: functions.FEEDS[op.name] for op in graph.get_operations()
                 if op.type == "Placeholder"}
        with tf.Session() as sess:
            values = [value_of(sess, g, feeds) for g in grads]
    return {"nodes": nodes, "values": values}


def value_of(sess, grad, feeds):
    """Nested lists; rows as a dict of their parts."""
    if grad is None:
        return None
    if hasattr(grad, "indices"):
        return {part: np.asarray(sess.run(getattr(grad, part), feeds)).tolist()
                for part in ("values", "indices", "dense_shape")}
    return np.asarray(sess.run(grad, feeds)).tolist()


def as_tensorflow_1(nodes):
    """The nodes with the names and types of TensorFlow 1.15 where 2.15 has others.

    2.15 names the ones that a gradient starts from grad_ys_k (1.15: Fill, Fill_1, ...) and their
    element grad_ys_k/Const (1.15: grad_ys_k); tf.add made Add where it now makes AddV2.
    """
    def rename(name):
        scope, _, last = name.rpartition("/")
        if last == "Const" and "/grad_ys_" in scope:
            return scope
        if last.startswith("grad_ys_"):
            number = int(last.removeprefix("grad_ys_"))
            return f"{scope}/Fill" + (f"_{number}" if number else "")
        return name

    def new(edge):
        control = edge.startswith("^")
        name, colon, output = edge.removeprefix("^").partition(":")
        return "^" * control + rename(name) + colon + output

    return {rename(name): ["Add" if op == "AddV2" and name.endswith("/Add") else op,
                                      [new(edge) for edge in inputs]]
            for name, (op, inputs) in nodes.items()}
