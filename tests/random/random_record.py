"""Runs one program of this folder and tells its nodes and values."""
import numpy as np

import random_programs as programs


def run(tf, name, **session_options):
    """{"nodes": [[name, op, inputs, seeds]], "steps": [[value, ...], ...]}; values have all their digits."""
    with tf.Graph().as_default() as graph:
        steps = programs.PROGRAMS[name](tf)
        with tf.Session(**session_options) as sess:
            values = [[describe(value) for value in sess.run(step)] for step in steps]
        nodes = [[node.name, node.op, list(node.input), seeds(node)]
                 for node in graph.as_graph_def().node]
    return {"nodes": nodes, "steps": values}


def seeds(node):
    return [node.attr[key].i for key in ("seed", "seed2") if key in node.attr]


def describe(value):
    if value is None:  # an operation
        return None
    array = np.asarray(value)
    if array.dtype == object:
        return ["string", list(array.shape), [item.decode() for item in array.ravel()]]
    return [str(array.dtype), list(array.shape), array.ravel().tolist()]
