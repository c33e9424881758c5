"""Builds one program of this folder, runs it, and tells its nodes and values."""
import re

import numpy as np

import flow_programs as programs

# Attributes that are compared: those that the structure of branches and loops consists of.
ATTRS = ("_class", "frame_name", "is_constant", "parallel_iterations", "swap_memory", "source",
         "dynamic_size", "identical_element_shapes", "clear_after_read", "begin_mask", "end_mask",
         "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def attr_value(value):
    kind = value.WhichOneof("value")
    if kind == "list":
        return [item.decode() for item in value.list.s]
    found = getattr(value, kind)
    return found.decode() if isinstance(found, bytes) else found


def describe(node):
    """A node's op, inputs and attributes."""
    attrs = {name: attr_value(node.attr[name]) for name in ATTRS if name in node.attr}
    return [node.op, list(node.input)] + ([attrs] if attrs else [])


def run(tf, name):
    """{"nodes": {name: [op, inputs, attrs]...} in order, "steps": [[value...]...]}."""
    with tf.Graph().as_default() as graph:
        steps = programs.PROGRAMS[name](tf)
        nodes = {node.name: describe(node) for node in graph.as_graph_def().node}
        results = []
        with tf.Session() as sess:
            for fetches, feeds in steps:
                feeds = {graph.get_tensor_by_name(key + ":0"): value for key, value in feeds.items()}
                values = sess.run(fetches, feeds)
                values = values if isinstance(values, list) else [values]
                results.append([np.asarray(value).tolist() for value in values])
    return {"nodes": nodes, "steps": results}


def as_tensorflow_1(nodes):
    """The nodes with the names and types of TensorFlow 1.15 where 2.15 has others.

    2.15 names the ones that a gradient starts from grad_ys_k (1.15: Fill, Fill_1, ...) and their
    element grad_ys_k/Const (1.15: grad_ys_k); tf.add, which counts the rounds of a loop and sums
    over them, made Add where it now makes AddV2.
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

    def convert(name, op, inputs, attrs=None):
        is_add = op == "AddV2" and re.search(r"/Add(_\d+)?$", name)
        described = ["Add" if is_add else op, [new(edge) for edge in inputs]]
        if attrs:
            groups = ["loc:@" + rename(g.removeprefix("loc:@")) for g in attrs.get("_class", [])]
            described.append({**attrs, **({"_class": groups} if groups else {})})
        return described

    return {rename(name): convert(name, *described) for name, described in nodes.items()}
