#!/usr/bin/env python3
"""Graphs that call functions, built and run by TensorFlow, stored in tests/golden/functions.

  function_graphs.py [NAME...]    all graphs when none is named

The files are like those of control_graphs.py; the graphs keep their function libraries, and what a
newer TensorFlow says in them beyond 1.15.
"""
import sys

import control_graphs
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import meta_graph

GOLDEN = control_graphs.ROOT / "tests" / "golden" / "functions"


def functions_in(value):
    """The names of functions that an attribute mentions."""
    names = [value.func.name] if value.HasField("func") else []
    names += [f.name for f in value.list.func]
    for inner in [value.func, *value.list.func]:
        for attr in inner.attr.values():
            names += functions_in(attr)
    return names


def keep_reachable(graph_def):
    """Drops the functions that nothing in the graph leads to."""
    library = {f.signature.name: f for f in graph_def.library.function}
    gradients = {g.function_name: g.gradient_func for g in graph_def.library.gradient}
    reached, nodes = set(), list(graph_def.node)
    while nodes:
        node = nodes.pop()
        names = [node.op, *(n for value in node.attr.values() for n in functions_in(value))]
        for name in [n for n in names if n in library and n not in reached]:
            reached.add(name)
            nodes.extend(library[name].node_def)
            if name in gradients:
                nodes.append(tf.NodeDef(op=gradients[name]))
    kept = [f for f in graph_def.library.function if f.signature.name in reached]
    kept_gradients = [g for g in graph_def.library.gradient if g.function_name in reached]
    graph_def.ClearField("library")
    graph_def.library.function.extend(kept)
    graph_def.library.gradient.extend(kept_gradients)


def needed_nodes(graph_def, steps):
    names = set()
    for step in steps:
        names.update(t.op.name for t in [*step.fetches, *step.feeds])
        names.update(op.name for op in step.targets)
    part = tf.graph_util.extract_sub_graph(graph_def, sorted(names))
    part.library.CopyFrom(graph_def.library)
    keep_reachable(part)
    meta = tf.MetaGraphDef(graph_def=part)
    meta_graph.strip_graph_default_valued_attrs(meta)
    for function in meta.graph_def.library.function:
        for node in function.node_def:
            node.ClearField("experimental_debug_info")
    return meta.graph_def


def store(name, build, known):
    graph = tf.Graph()
    with graph.as_default():
        steps = build()
    steps = list(steps) if isinstance(steps, (list, tuple)) else [steps]
    meta = tf.MetaGraphDef(graph_def=needed_nodes(graph.as_graph_def(), steps))
    used = {node.op for node in meta.graph_def.node}
    for function in meta.graph_def.library.function:
        used |= {node.op for node in function.node_def}
    missing = used - known - {f.signature.name for f in meta.graph_def.library.function}
    path = GOLDEN / f"{name}.pb"
    if missing:
        path.unlink(missing_ok=True)
        return missing
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Session(graph=graph, config=config) as session:
        for k, step in enumerate(steps):
            control_graphs.add_step(meta, k, step, session)
    path.write_bytes(meta.SerializeToString(deterministic=True))
    return missing


def main():
    import function_graph_cases
    tf.disable_v2_behavior()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    known = control_graphs.known_ops()
    cases = function_graph_cases.CASES
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
