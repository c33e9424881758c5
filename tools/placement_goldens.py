#!/usr/bin/env python3
"""Graphs with devices, placed, cut and run by TensorFlow, stored in tests/golden/placement.

  placement_goldens.py [NAME...]    all graphs when none is named

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does. Each file is a
MetaGraphDef: the graph, and collections that tell what TensorFlow did with it on four CPU devices.
"log" and "log_soft" hold what log_device_placement printed (without and with soft placement), or
"error" and "error_soft" the telling part of the message; "fetches", "feeds", "results" and
"partition_graphs" (GraphDefs) belong to one run of the graph without soft placement.
"""
import os
import pathlib
import re
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import named_tensor_pb2
from tensorflow.python.framework import meta_graph

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "placement"
sys.path.insert(0, str(ROOT / "tools"))
import placement_cases  # noqa: E402  (from the folder above)

LATER_ATTRS = {("VarHandleOp", "debug_name"), ("AssignVariableOp", "validate_shape")}  # than 1.15
KEPT_ATTRS = {"_class"}


def known_ops():
    names = set()
    for path in (ROOT / "rill" / "ops").rglob("*.op.cc"):
        names.update(re.findall(r'\.name = "(\w+)"', path.read_text()))
    return names


def config(soft):
    made = tf.ConfigProto(device_count={"CPU": 4}, allow_soft_placement=soft,
                          log_device_placement=True, intra_op_parallelism_threads=1)
    made.graph_options.rewrite_options.disable_meta_optimizer = True
    made.graph_options.optimizer_options.opt_level = -1
    return made


class CapturedOutput:
    """What is written to file descriptor 1 inside the block."""

    def __enter__(self):
        sys.stdout.flush()
        self._file = tempfile.TemporaryFile()
        self._saved = os.dup(1)
        os.dup2(self._file.fileno(), 1)
        return self

    def __exit__(self, *_):
        os.dup2(self._saved, 1)
        self._file.seek(0)
        self.lines = self._file.read().decode().splitlines()


def telling_part(message):
    lines = [line for line in message.splitlines() if line.startswith("Cannot ")]
    return lines[0].split(", but")[0].split(". Make sure")[0]


def stored_graph(graph_def):
    meta = tf.MetaGraphDef(graph_def=graph_def)
    meta.graph_def.ClearField("library")
    meta_graph.strip_graph_default_valued_attrs(meta)
    for node in meta.graph_def.node:
        for name in list(node.attr):
            if (node.op, name) in LATER_ATTRS or (name[0] == "_" and name not in KEPT_ATTRS):
                del node.attr[name]
    meta.graph_def.versions.producer = 134
    return meta


def run(meta, case, soft):
    def collect(name, items):
        meta.collection_def[name].bytes_list.value.extend(items)

    suffix = "_soft" if soft else ""
    if not soft:
        collect("before", [op.name.encode() for op in case.before])
        collect("fetches", [tensor.name.encode() for tensor in case.fetches])
        collect("feeds", [named_tensor_pb2.NamedTensorProto(
            name=tensor.name, tensor=tf.make_tensor_proto(value, tensor.dtype)).SerializeToString()
            for tensor, value in case.feeds.items()])
    metadata = tf.RunMetadata()
    options = tf.RunOptions(output_partition_graphs=True)
    output = CapturedOutput()
    try:
        with output, tf.Session(config=config(soft)) as session:
            for op in case.before:
                session.run(op)
            results = session.run(case.fetches, case.feeds, options=options,
                                  run_metadata=metadata)
    except tf.errors.InvalidArgumentError as error:
        collect("error" + suffix, [telling_part(error.message).encode()])
        return
    collect("log" + suffix, [line.encode() for line in output.lines])
    if soft:
        return
    collect("results", [tf.make_tensor_proto(value, tensor.dtype).SerializeToString()
                        for value, tensor in zip(results, case.fetches)])
    collect("partition_graphs", [graph.SerializeToString() for graph in metadata.partition_graphs])


def main(wanted):
    tf.disable_v2_behavior()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    ops = known_ops()
    for name, build in placement_cases.CASES.items():
        if wanted and name not in wanted:
            continue
        with tf.Graph().as_default() as graph:
            case = build()
            missing = {op.type for op in graph.get_operations()} - ops
            if missing:
                print(f"{name} needs {', '.join(sorted(missing))}: left out")
                continue
            meta = stored_graph(graph.as_graph_def())
            for soft in (False, True):
                run(meta, case, soft)
            (GOLDEN / f"{name}.pb").write_bytes(meta.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(sys.argv[1:])
