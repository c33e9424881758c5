"""Runs the programs of this folder and tells what they did, in a form that can be stored as JSON.

A file leaves either a dict OUTPUTS (one program), or functions whose names begin with `program_`: many
small programs. Each of these builds its graph and returns what to look at: a dict of values, where
tensors, variables and structures of them are fetched in one run after the variables were initialised; or
a list of such dicts, each fetched in a run of its own. `feeds(...)` gives a dict values to feed.
"""
import base64
import functools
import re
import runpy

import numpy as np


class feeds(dict):
    """Fetches with what is fed to them: feeds({placeholder: value}, name=fetch, ...)."""

    def __init__(self, fed, **fetches):
        super().__init__(fetches)
        self.fed = fed


def load(path):
    """{program: a function that runs it and tells its values and its graph} of the file at `path`."""
    import tensorflow as tf
    with tf.Graph().as_default() as graph:
        found = runpy.run_path(str(path))
    if "OUTPUTS" in found:
        return {path.stem: lambda: _described(found["OUTPUTS"], graph)}
    describe_graph = variables_of if path.stem.startswith("keras_") else nodes_of
    if path.stem.startswith(("data_", "ragged_")) or path.stem == "rnn_training":  # others have these nodes
        describe_graph = no_nodes
    if path.stem.startswith("feature_column_") and path.stem != "feature_column_nodes":
        describe_graph = kept_of
    return {name.removeprefix("program_"): functools.partial(run_function, tf, function, describe_graph)
            for name, function in found.items() if name.startswith("program_")}


def run_function(tf, function, describe_graph):
    with tf.Graph().as_default() as graph:
        steps = function()
        steps = steps if isinstance(steps, list) else [steps]
        values = {}
        with tf.Session() as session:
            if graph.get_collection("variables") + graph.get_collection("local_variables"):
                with tf.Graph.as_default(graph):
                    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            for i, step in enumerate(steps):
                fetches = {key: value for key, value in step.items() if is_fetch(tf, value)}
                fetched = session.run(fetches, getattr(step, "fed", None)) if fetches else {}
                for key, value in step.items():
                    values[f"{key}@{i}" if i else key] = fetched.get(key, value)
    return _described(values, graph, describe_graph)


def is_fetch(tf, value):
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_fetch(tf, item) for item in value)
    kinds = [getattr(tf, name) for name in ("Tensor", "Operation", "SparseTensor", "RaggedTensor", "IndexedSlices")
             if hasattr(tf, name)]
    return isinstance(value, tuple(kinds)) or (
        hasattr(value, "initializer") and hasattr(value, "op"))


def _described(values, graph, describe_graph=None):
    return {"values": {name: describe(value) for name, value in values.items()},
            "graph": (describe_graph or nodes_of)(graph.as_graph_def().node)}


def no_nodes(nodes):
    """Nothing: 2.15 makes pipelines of other ops than 1.15; values, types, shapes and errors are compared."""
    return []


def elements(dataset, limit=200):
    """What an iterator of `dataset` gives, to its end."""
    import tensorflow as tf
    if tf.executing_eagerly():
        return [tf.nest.map_structure(_value, element) for element in dataset.take(limit)]
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
    get_next, found = iterator.get_next(), []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(iterator.initializer)
        for _ in range(limit):
            try:
                found.append(session.run(get_next))
            except tf.errors.OutOfRangeError:
                break
    return found


def _value(part):
    """What a session would give of it."""
    import tensorflow as tf
    if isinstance(part, tf.SparseTensor):
        return tf.SparseTensorValue(*map(_value, (part.indices, part.values, part.dense_shape)))
    return part.numpy() if hasattr(part, "numpy") else part


def spec(dataset):
    """What a dataset or iterator knows of its elements, part by part."""
    def text(part):
        if hasattr(part, "_element_spec"):
            return "dataset of (" + "; ".join(map(text, leaves(part._element_spec))) + ")"
        if hasattr(part, "_value_structure"):
            return "optional of (" + "; ".join(map(text, leaves(part._value_structure))) + ")"
        shape = None if part._shape.ndims is None else part._shape.as_list()
        return f"{type(part).__name__} {part._dtype.name} {shape}"

    def leaves(structure):
        if isinstance(structure, dict):
            return [leaf for key in sorted(structure) for leaf in leaves(structure[key])]
        if isinstance(structure, tuple):
            return [leaf for part in structure for leaf in leaves(part)]
        return [structure]

    return [text(part) for part in leaves(dataset.element_spec)]


def raised(function):
    """The class of what `function` raises, and "" where it raises nothing."""
    try:
        function()
    except Exception as error:
        return type(error).__name__
    return ""


def nodes_of(nodes):
    """All nodes, in their order."""
    return [describe_node(node) for node in nodes]


# Scopes of cells inside of recurrent layers, which 1.15 opens by number or not at all; a number of 2.15's.
NEWER_SCOPE = re.compile(r"/(\w*_)?cells?(_\d+)?(?=/)")
NEWER_VARIABLE = re.compile(r"Ftrl/beta$")


def variables_of(nodes):
    """Names, types and shapes of the variables: how tf.keras computes differs between 1.15 and 2.15."""
    kept = [node for node in nodes if node.op == "VarHandleOp" and not NEWER_VARIABLE.search(node.name)]
    described = [describe_node(node) for node in kept]
    return sorted(([NEWER_SCOPE.sub("", name), op, "", "", {key: attrs[key] for key in ("dtype", "shape")}]
                  for name, op, _, _, attrs in described), key=str)


KEPT = ("VariableV2", "VarHandleOp", "HashTableV2")


def kept_of(nodes):
    """Names, types and shapes of variables and tables, in their order."""
    described = [describe_node(node) for node in nodes if node.op in KEPT]
    return [[name, op, "", "", {key: attrs[key] for key in ("dtype", "shape", "key_dtype") if key in attrs}]
            for name, op, _, _, attrs in described]


def describe(value):
    """A value with its type; lists and tuples element by element."""
    if value is None:  # what an operation gives
        return []
    if isinstance(value, dict):
        value = [item for _, item in sorted(value.items())]
    if hasattr(value, "nested_row_splits"):
        value = [value.flat_values, *value.nested_row_splits]
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if isinstance(value, str):
        value = value.encode()
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


# Names that TensorFlow makes anew in every process.
CHANCE = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(?<=^CustomGradient-)\d+$")


def without_chance(value):
    if CHANCE.search(value.s):
        value.s = CHANCE.sub(b"CHANCE", value.s)
    return value


def describe_node(node):
    attrs = {name: base64.b64encode(without_chance(value).SerializeToString(deterministic=True)).decode()
             for name, value in sorted(node.attr.items())}
    return [node.name, node.op, " ".join(node.input), node.device, attrs]


def mapped_strings(attr, change):
    """An attribute that is a list of strings, as describe_node stores it, with each one changed."""
    from tensorflow.core.framework import attr_value_pb2
    value = attr_value_pb2.AttrValue.FromString(base64.b64decode(attr))
    value.list.s[:] = [change(item.decode()).encode() for item in value.list.s]
    return base64.b64encode(value.SerializeToString(deterministic=True)).decode()
