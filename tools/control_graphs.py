#!/usr/bin/env python3
"""Graphs with branches and loops, built and run by TensorFlow, stored in tests/golden/control.

  control_graphs.py [NAME...]    all graphs when none is named

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does. Each file is a
MetaGraphDef: the graph, and collections that tell how it was run and what came out. Step k has
"step_k/fetches" and "step_k/targets" (names), "step_k/feeds" (NamedTensorProtos) and
"step_k/results" (TensorProtos), or "step_k/error" (a regular expression the message matches).
A graph that needs an op which is not declared under rill/ops is reported and left out.
"""
import os
import pathlib
import re
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import named_tensor_pb2
from tensorflow.python.framework import meta_graph

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "control"
LATER_ATTRS = {("VarHandleOp", "debug_name"), ("AssignVariableOp", "validate_shape")}  # than 1.15
sys.path.insert(0, str(ROOT / "tools"))


class Step:
    """One run: what to fetch, what to feed, and, if it fails, what the message says."""

    def __init__(self, fetches=(), feeds=None, targets=(), error=""):
        self.fetches = list(fetches) if isinstance(fetches, (list, tuple)) else [fetches]
        self.feeds = feeds or {}
        self.targets = list(targets)
        self.error = error


def known_ops():
    names = set()
    for path in (ROOT / "rill" / "ops").rglob("*.op.cc"):
        names.update(re.findall(r'\.name = "(\w+)"', path.read_text()))
    return names


def needed_nodes(graph_def, steps):
    """The part of the graph that the steps use, as a GraphDef without default attributes."""
    names = set()
    for step in steps:
        names.update(t.op.name for t in step.fetches)
        names.update(t.op.name for t in step.feeds)
        names.update(op.name for op in step.targets)
    part = tf.graph_util.extract_sub_graph(graph_def, sorted(names))
    part.ClearField("library")
    meta = tf.MetaGraphDef(graph_def=part)
    meta_graph.strip_graph_default_valued_attrs(meta)
    for node in meta.graph_def.node:
        for name in [a for a in node.attr if (node.op, a) in LATER_ATTRS or a[0] == "_"]:
            del node.attr[name]
    meta.graph_def.versions.producer = min(134, graph_def.versions.producer)
    return meta.graph_def


def add_step(meta, k, step, session):
    def collect(name, items):
        meta.collection_def[f"step_{k}/{name}"].bytes_list.value.extend(items)

    collect("fetches", [t.name.encode() for t in step.fetches])
    collect("targets", [op.name.encode() for op in step.targets])
    feeds = []
    for tensor, value in step.feeds.items():
        proto = tf.make_tensor_proto(value, tensor.dtype)
        feeds.append(named_tensor_pb2.NamedTensorProto(name=tensor.name, tensor=proto))
    collect("feeds", [f.SerializeToString() for f in feeds])
    try:
        results = session.run([step.fetches, step.targets], step.feeds)[0]
    except tf.errors.OpError as error:
        if not step.error or not re.search(step.error, error.message):
            raise
        collect("error", [step.error.encode()])
        return
    if step.error:
        raise ValueError(f"step {k} was expected to fail")
    protos = [tf.make_tensor_proto(r, t.dtype) for r, t in zip(results, step.fetches)]
    collect("results", [p.SerializeToString() for p in protos])


def store(name, build, known):
    """Returns the ops that are missing; stores the graph when there are none."""
    graph = tf.Graph()
    with graph.as_default():
        steps = build()
    steps = list(steps) if isinstance(steps, (list, tuple)) else [steps]
    meta = tf.MetaGraphDef(graph_def=needed_nodes(graph.as_graph_def(), steps))
    missing = {node.op for node in meta.graph_def.node} - known
    path = GOLDEN / f"{name}.pb"
    if missing:
        path.unlink(missing_ok=True)
        return missing
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True  # it drops what must fail
    with tf.Session(graph=graph, config=config) as session:
        for k, step in enumerate(steps):
            add_step(meta, k, step, session)
    path.write_bytes(meta.SerializeToString(deterministic=True))
    return missing


def main():
    import control_cases
    tf.disable_v2_behavior()
    tf.disable_control_flow_v2()
    tf.disable_resource_variables()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    known = known_ops()
    cases = control_cases.CASES
    wanted = sys.argv[1:] or sorted(cases)
    if not sys.argv[1:]:
        for path in GOLDEN.glob("*.pb"):
            if path.stem not in cases:
                path.unlink()
    left_out = 0
    for name in wanted:
        missing = store(name, cases[name], known)
        if missing:
            left_out += 1
            print(f"{name}: left out, needs {', '.join(sorted(missing))}")
    size = sum(p.stat().st_size for p in GOLDEN.glob("*.pb"))
    print(f"{len(wanted) - left_out} graphs stored, {left_out} left out, {size} bytes in all")


if __name__ == "__main__":
    main()
