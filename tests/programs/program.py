"""Runs a program of this folder and tells what it did, in a form that can be stored as JSON."""
import base64
import runpy

import numpy as np


def run(path):
    """The values and the graph of the program at `path`, which imports `tensorflow` itself."""
    import tensorflow as tf
    with tf.Graph().as_default() as graph:
        outputs = runpy.run_path(str(path))["OUTPUTS"]
    return {"values": {name: describe(value) for name, value in outputs.items()},
            "graph": [describe_node(node) for node in graph.as_graph_def().node]}


def describe(value):
    """A value with its type; lists and tuples element by element."""
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    array = np.asarray(value, object) if isinstance(value, bytes) else np.asarray(value)
    if array.dtype == object:
        data = [base64.b64encode(item).decode() for item in array.ravel()]
    else:
        data = [repr(item) for item in array.ravel().tolist()]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": data}


def restore(described):
    """The array that `describe` was given."""
    if isinstance(described, list):
        return [restore(item) for item in described]
    if described["dtype"] == "object":
        flat = np.array([base64.b64decode(item) for item in described["data"]], object)
    else:
        flat = np.array([eval(item, {"nan": np.nan, "inf": np.inf})  # numbers only
                         for item in described["data"]], described["dtype"])
    return flat.reshape(described["shape"])


def describe_node(node):
    attrs = {name: base64.b64encode(value.SerializeToString(deterministic=True)).decode()
             for name, value in sorted(node.attr.items())}
    return {"name": node.name, "op": node.op, "inputs": list(node.input), "device": node.device,
            "attrs": attrs}
