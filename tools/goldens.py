#!/usr/bin/env python3
"""Asks TensorFlow what comes out of every op case and stores the answers in tests/golden/ops.

  goldens.py [STEM...]          all stems when none is named
  goldens.py --list-skipped     the ops that TensorFlow 2.15 is not asked about, and why

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does. The cases come from
`rill_optest export`: a GraphDef each, in which node "case" is the op and "fetch_0", "fetch_1", ...
are what is wanted; nodes with "_target" run too; "$TMP" is a directory that is empty when the case
runs. The answers of one stem make one file, a GraphDef whose nodes are records (see
tests/optest/golden.h). The bytes depend on the cases and on TensorFlow alone.
"""
import argparse
import csv
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What TensorFlow computes through oneDNN alone: Intel's ops. Asked in a process of its own, without
# the instructions that virtual machines announce and do not have.
ONEDNN_STEMS = {"quantized_conv_with", "quantized_depthwise", "quantized_matmul_with"}
# Ops whose kernels TensorFlow lost before 2.15, or that no test can ask it for: these rows are asked of 1.15, the
# environment RILL_ORACLE_1. Without one their answers stay as they are.
STEMS_OF_1 = {"bt_ensemble", "bt_forest", "bt_predict", "bt_quantiles", "bt_splits", "bt_stats"}
WITH_ONEDNN = os.environ.get("RILL_GOLDENS_WITH_ONEDNN") == "1"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1" if WITH_ONEDNN else "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np  # noqa: E402  (TensorFlow reads the environment when it is imported)
import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.core.framework import tensor_pb2  # noqa: E402
from tensorflow.python.framework import op_def_registry  # noqa: E402

import op_defs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

import golden_files  # noqa: E402

OPTEST = pathlib.Path(os.environ.get("RILL_OPTEST", ROOT / "build" / "release" / "bin" / "rill_optest"))
GOLDEN = ROOT / "tests" / "golden" / "ops"
SKIPPED = ROOT / "tests" / "golden" / "not_asked.tsv"

LARGEST_KEPT = 1024  # elements; larger outputs are kept as samples
SAMPLES = 128  # these two as in tests/optest/compare.h
BLOCKS = 64
INVALID_ARGUMENT = 3
PATIENCE_MS = 60000  # for rows that would wait without end
DIRECTORY = "$TMP"  # as rows name the directory of their files


def tensor_proto(array, dtype):
    """One fixed encoding, whatever the version of TensorFlow would choose."""
    proto = tensor_pb2.TensorProto(dtype=dtype.as_datatype_enum)
    for size in array.shape:
        proto.tensor_shape.dim.add().size = size
    if dtype == tf.string:
        proto.string_val.extend(as_bytes(item) for item in array.ravel())
    else:
        proto.tensor_content = np.ascontiguousarray(array).tobytes()
    return proto


def as_bytes(item):
    return item if isinstance(item, bytes) else str(item).encode()


def fnv(array, dtype):
    data = (b"".join(as_bytes(item) + b"\0" for item in array.ravel()) if dtype == tf.string
            else np.ascontiguousarray(array).tobytes())
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return value - (1 << 64) if value >> 63 else value


def is_inexact(dtype):
    return dtype.is_floating or dtype.is_complex


def statistics(array):
    """Sums and sums of magnitudes by block of elements, and how many are NaN, inf and -inf."""
    flat = array.ravel()
    wide = flat.astype(np.complex128 if np.iscomplexobj(flat) else np.float64)
    parts = np.stack([wide.real, wide.imag], 1)
    counts = [np.isnan(parts).sum(), np.isposinf(parts).sum(), np.isneginf(parts).sum()]
    finite = np.where(np.isfinite(parts), parts, 0)
    block = np.arange(flat.size) * BLOCKS // flat.size
    sums = np.zeros((2, BLOCKS))
    for column in range(2):
        np.add.at(sums[0], block, finite[:, column])
        np.add.at(sums[1], block, np.abs(finite[:, column]))
    return sums, np.array(counts, np.int64)


class Records:
    """The file of one stem."""

    def __init__(self):
        self.graph = tf.GraphDef()

    def add(self, name, op):
        return self.graph.node.add(name=name, op=op)

    def add_case(self, name, fingerprint):
        self.add(name, "Case").attr["fingerprint"].s = fingerprint

    def add_error(self, name, code, message):
        node = self.add(name, "Error")
        node.attr["code"].i = code
        node.attr["message"].s = message.encode()

    def add_output(self, name, array, dtype):
        # As bytes of NumPy's own, strings would lose the zeros at their ends.
        array = np.asarray(array, object if dtype == tf.string else None)
        if array.size <= LARGEST_KEPT:
            self.add(name, "Const").attr["value"].tensor.CopyFrom(tensor_proto(array, dtype))
        else:
            self.add_sample(name, array, dtype)

    def add_sample(self, name, array, dtype):
        node = self.add(name, "Sample")
        node.attr["dtype"].type = dtype.as_datatype_enum
        node.attr["shape"].shape.CopyFrom(tf.TensorShape(array.shape).as_proto())
        picked = array.ravel()[np.arange(SAMPLES) * array.size // SAMPLES]
        node.attr["values"].tensor.CopyFrom(tensor_proto(picked, dtype))
        if not is_inexact(dtype):
            node.attr["hash"].i = fnv(array, dtype)
            return
        sums, counts = statistics(array)
        node.attr["sums"].tensor.CopyFrom(tensor_proto(sums, tf.float64))
        node.attr["non_finite_counts"].tensor.CopyFrom(tensor_proto(counts, tf.int64))

    def write(self, path):
        golden_files.write(path, self.graph.SerializeToString(deterministic=True))


def session_config():
    """The graph as it stands: no rewriting, one thread."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
                            operation_timeout_in_ms=PATIENCE_MS)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    return config


def bodies(graph_def):
    return [graph_def.node, *(function.node_def for function in graph_def.library.function)]


def with_directory(graph_def, directory):
    for node in itertools.chain.from_iterable(bodies(graph_def)):
        for attr in node.attr.values():
            if attr.HasField("s"):
                attr.s = attr.s.replace(DIRECTORY.encode(), directory.encode())
            for strings in (attr.tensor.string_val, attr.list.s):
                for i, item in enumerate(strings):
                    strings[i] = item.replace(DIRECTORY.encode(), directory.encode())


def without_directory(array, directory):
    if directory.encode() not in b"".join(as_bytes(item) for item in array.ravel()):
        return array
    items = [as_bytes(item).replace(directory.encode(), DIRECTORY.encode())
             for item in array.ravel()]
    return np.array(items, object).reshape(array.shape)


def run_case(graph_def):
    """The fetched values with their types; raises what TensorFlow raises."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        names = [node.name for node in graph_def.node]
        fetches = [graph.get_tensor_by_name(name + ":0") for name in names
                   if name.startswith("fetch_")]
        feeds = {node.name + ":0": tf.make_ndarray(node.attr["_feed"].tensor)
                 for node in graph_def.node if "_feed" in node.attr}
        targets = [graph.get_operation_by_name(node.name) for node in graph_def.node
                   if node.name == "case" or "_target" in node.attr]
        with tf.Session(graph=graph, config=session_config()) as session:
            values, _ = session.run((fetches, targets), feeds)
        return [(value, fetch.dtype.base_dtype) for value, fetch in zip(values, fetches)]


def telling(message, directory):
    """A message without node names, source lines and what else changes from run to run."""
    message = message.replace(directory, DIRECTORY)
    message = re.sub(r"running on \S+", "running on a host.", message)
    message = re.sub(r" in function library: function \{.*", "", message, flags=re.DOTALL)
    message = re.sub(r"0x[0-9a-f]{6,}", "0x...", message)
    message = re.sub(r"\b_\d+_(?=\w)", "_0_", message)  # a count of resources before their names
    message = re.split(r"\n+\s*\[\[|\n+\s*Original stack trace|\n+Errors may have", message)[0]
    message = re.sub(r"^Graph execution error:\s*(Detected at node[^\n]*\n(.*\n)*?)?", "", message)
    message = re.sub(r"^Node: '[^']*'\n", "", message.strip())
    return message.strip()


def record(records, name, graph_def):
    with tempfile.TemporaryDirectory() as directory:
        with_directory(graph_def, directory)
        record_in(directory, records, name, graph_def)


def record_in(directory, records, name, graph_def):
    case = next(node for node in graph_def.node if node.name == "case")
    records.add_case(name, case.attr["_fingerprint"].s)
    try:
        for value, dtype in run_case(graph_def):
            if "_shapes_only" in case.attr:  # the values would differ from run to run
                value = np.full(np.shape(value), b"" if dtype == tf.string else 0,
                                dtype.as_numpy_dtype)
            if dtype == tf.string:
                value = without_directory(np.asarray(value, object), directory)
            records.add_output(name, value, dtype)
    except tf.errors.OpError as error:
        records.add_error(name, error.error_code, telling(error.message, directory))
    except ValueError as error:  # how Python hears of what a shape function refuses
        records.add_error(name, INVALID_ARGUMENT, telling(str(error), directory))


def not_asked():
    """The ops that TensorFlow 2.15 lacks or is listed as not running, each with the reason."""
    skipped = {op: "TensorFlow 2.15 has no such op"
               for op, part in op_defs.read_differences() if part == "all"}
    with SKIPPED.open() as table:
        skipped.update((row["op"], row["why"]) for row in csv.DictReader(table, delimiter="\t"))
    return skipped


def ops_of(graph_def):
    return {node.op for node in itertools.chain.from_iterable(bodies(graph_def))}


def refuse_unknown_ops(folder, cases):
    """An error of an op that is not there would be stored as if it were the answer."""
    ops = set().union(*(ops_of(graph_def) for graph_def in cases.values()))
    known = getattr(op_def_registry, "get", lambda op: op)  # 1.15's knows what Python has imported
    unknown = sorted(op for op in ops if known(op) is None)
    if unknown:
        raise SystemExit(f"{folder.name}: TensorFlow {tf.__version__} has no {', '.join(unknown)}; "
                         "rows of such ops state .plain, the ops they stand for, or their outputs with "
                         ".want. Nothing was stored.")


def make_stem(folder, skipped):
    cases = {path.stem: tf.GraphDef.FromString(path.read_bytes())
             for path in sorted(folder.glob("*.pb"))}
    cases = {name: graph_def for name, graph_def in cases.items()
             if not ops_of(graph_def) & skipped.keys()}
    refuse_unknown_ops(folder, cases)
    if not cases:
        (GOLDEN / f"{folder.name}.pb.gz").unlink(missing_ok=True)
        return 0
    records = Records()
    for name, graph_def in cases.items():
        record(records, name, graph_def)
    records.write(GOLDEN / f"{folder.name}.pb.gz")
    return len(cases)


def ask_with_onednn(stems):
    env = dict(os.environ, RILL_GOLDENS_WITH_ONEDNN="1", ONEDNN_MAX_CPU_ISA="AVX512_CORE_VNNI")
    subprocess.run([sys.executable, __file__, *sorted(stems)], check=True, env=env)


def ask_tensorflow_1(stems):
    oracle = os.environ.get("RILL_ORACLE_1")
    if oracle is None:
        print(f"{', '.join(sorted(stems))}: kept; RILL_ORACLE_1 names no environment with TensorFlow 1.15")
        return
    subprocess.run([os.path.join(oracle, "bin", "python"), __file__, *sorted(stems)], check=True)


def forget_removed_stems(kept):
    for path in GOLDEN.glob("*.pb.gz"):
        if path.name.removesuffix(".pb.gz") not in kept:
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stems", nargs="*", metavar="STEM")
    parser.add_argument("--list-skipped", action="store_true")
    options = parser.parse_args()
    skipped = not_asked()
    if options.list_skipped:
        for op, why in sorted(skipped.items()):
            print(f"{op}: {why}")
        return
    is_tensorflow_1 = tf.__version__.startswith("1.")
    if is_tensorflow_1:
        skipped = {}
    asked_apart = set() if WITH_ONEDNN or is_tensorflow_1 else ONEDNN_STEMS & set(options.stems or ONEDNN_STEMS)
    if asked_apart:
        ask_with_onednn(asked_apart)
    of_1 = set() if WITH_ONEDNN or is_tensorflow_1 else STEMS_OF_1 & set(options.stems or STEMS_OF_1)
    if of_1:
        ask_tensorflow_1(of_1)
        asked_apart |= of_1
    if asked_apart and asked_apart == set(options.stems):
        return
    tf.disable_v2_behavior()
    with tempfile.TemporaryDirectory() as scratch:
        for stem in options.stems or [None]:
            subprocess.run([OPTEST, "export", scratch, *([stem] if stem else [])], check=True,
                           cwd=ROOT, stdout=subprocess.DEVNULL)
        folders = sorted(pathlib.Path(scratch).iterdir())
        total = 0
        for folder in folders:
            if folder.name in asked_apart:
                continue
            count = make_stem(folder, skipped)
            total += count
            print(f"{folder.name}: {count} answers", flush=True)
        if not options.stems:
            forget_removed_stems({folder.name for folder in folders})
    size = sum(path.stat().st_size for path in GOLDEN.glob("*.pb.gz"))
    print(f"{total} answers of TensorFlow {tf.__version__}; tests/golden/ops holds {size} bytes")


if __name__ == "__main__":
    sys.exit(main())
