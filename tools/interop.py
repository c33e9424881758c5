#!/usr/bin/env python3
"""Checks that graphs, files and op definitions travel between Rill and TensorFlow, both ways.

  interop.py [PART...]    parts: op_defs, exported, imported, files, models; all when none is
                          named

Run by the Python of an environment with TensorFlow 2.15, as `./do interop` does.
  op_defs   every op that Rill declares is defined as in TensorFlow, but for what
            tests/facts/tf215_differences.tsv lists, and there as in TensorFlow 1.15
  exported  what Rill writes of the op cases' graphs runs under TensorFlow, with the golden answers
  imported  graphs that TensorFlow wrote run under Rill with equal results, and what Rill then
            writes of them runs under TensorFlow again
  files     records, checkpoints and event files that Rill wrote (tests/golden/io is the other way)
  models    checkpoints, meta graphs, SavedModels, frozen graphs and logs that Rill's Python wrote
            (tests/golden/models is the other way), the logs through TensorBoard's readers too
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import goldens  # sets TensorFlow's environment: first
import numpy as np
import tensorflow.compat.v1 as tf
from google.protobuf import text_format
from tensorflow.core.framework import op_def_pb2

import interop_files
import interop_graphs
import interop_models
import op_defs

ROOT = goldens.ROOT
PYTHON = ROOT / ".venv" / "bin" / "python"
RILL = ROOT / "bin" / "rill"
RTOL = {np.float16: 2e-3, np.float32: 1e-5, np.complex64: 1e-5}


class Report:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, complaint):
        if complaint:
            print(f"FAILED {name}: {complaint}", flush=True)
            self.failed += 1
        else:
            self.passed += 1


def difference(got, want):
    """What differs between two arrays, or None."""
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}"
    if want.dtype.kind in "fc":
        rtol = RTOL.get(want.dtype.type, 1e-10)
        same = np.allclose(got, want, rtol=rtol, atol=1e-7, equal_nan=True)
    else:
        same = np.array_equal(got, want)
    return None if same else f"{got.ravel()[:6]} instead of {want.ravel()[:6]}"


# --- op_defs ---------------------------------------------------------------------------------


def check_op_defs(report, scratch):
    text = subprocess.run([RILL, "ops", "--opdefs"], check=True, capture_output=True, text=True)
    declared = text_format.Parse(text.stdout, op_def_pb2.OpList())
    oracle, table = op_defs.oracle_op_defs(), op_defs.read_table()
    differences = op_defs.read_differences()
    for op in declared.op:
        ours = op_defs.describe(op)
        if op.name not in oracle and op.name not in table:
            report.check(op.name, "TensorFlow has no such op")
            continue
        theirs = op_defs.describe(oracle[op.name]) if op.name in oracle else {}
        for part in op_defs.PARTS:
            old = (op.name, "all") in differences or (op.name, part) in differences
            wanted = table[op.name][part] if old else theirs[part]
            report.check(f"{op.name} {part}",
                         None if ours[part] == wanted else f"{ours[part]} instead of {wanted}")


# --- exported --------------------------------------------------------------------------------


def check_exported(report, scratch):
    subprocess.run([goldens.OPTEST, "export", scratch, "--through-graph"], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL)
    skipped = goldens.not_asked()
    for folder in sorted(scratch.iterdir()):
        wanted = golden_records(folder.name)
        for path in sorted(folder.glob("*.pb")):
            graph_def = tf.GraphDef.FromString(path.read_bytes())
            if any(node.op in skipped for node in graph_def.node):
                continue
            fresh = goldens.Records()
            goldens.record(fresh, path.stem, graph_def)
            got = [node for node in fresh.graph.node if node.op != "Case"]
            report.check(f"{folder.name}/{path.stem}",
                         None if got == wanted.get(path.stem) else f"is {str(got)[:300]}")


def golden_records(stem):
    records = tf.GraphDef.FromString((goldens.GOLDEN / f"{stem}.pb").read_bytes())
    result = {}
    for node in records.node:
        result.setdefault(node.name, [])
        if node.op != "Case":
            result[node.name].append(node)
    return result


# --- imported --------------------------------------------------------------------------------


def run_steps(graph, steps):
    """The fetched values of every step, in one session."""
    results = []
    with tf.Session(graph=graph, config=goldens.session_config()) as session:
        for step in steps:
            targets = [graph.get_operation_by_name(name) for name in step.targets]
            values, _ = session.run((step.fetches, targets), step.feeds)
            results.append(values)
    return results


def save_program(folder, graph, steps):
    """What tools/interop_rill.py reads: the graph, and the steps as JSON and arrays."""
    (folder / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    described, feeds = [], {}
    for i, step in enumerate(steps):
        for name, value in step.feeds.items():
            feeds[f"{i} {name}"] = np.asarray(value)
        described.append({"fetches": step.fetches, "targets": step.targets,
                          "feeds": list(step.feeds)})
    (folder / "steps.json").write_text(json.dumps(described))
    np.savez(folder / "feeds.npz", **feeds)


def load_results(folder, steps):
    arrays = np.load(folder / "results.npz", allow_pickle=True)
    return [[arrays[f"{i} {j}"] for j in range(len(step.fetches))] for i, step in enumerate(steps)]


def compare_results(got, want):
    for i, (mine, theirs) in enumerate(zip(got, want)):
        for j, (a, b) in enumerate(zip(mine, theirs)):
            if complaint := difference(a, b):
                return f"step {i}, fetch {j}: {complaint}"
    return None


def check_imported(report, scratch):
    for build in interop_graphs.ALL:
        folder = scratch / build.__name__
        folder.mkdir()
        with tf.Graph().as_default() as graph:
            steps = build()
        wanted = run_steps(graph, steps)
        save_program(folder, graph, steps)
        run = subprocess.run([PYTHON, ROOT / "tools" / "interop_rill.py", folder],
                             env={"PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python' / 'compat'}"},
                             capture_output=True, text=True)
        if run.returncode:
            report.check(build.__name__, run.stderr.strip()[-500:])
            continue
        report.check(build.__name__, compare_results(load_results(folder, steps), wanted))
        with tf.Graph().as_default() as back:
            written = tf.GraphDef.FromString((folder / "written.pb").read_bytes())
            tf.import_graph_def(written, name="")
        report.check(f"{build.__name__}, written by Rill",
                     compare_results(run_steps(back, steps), wanted))


PARTS = {"op_defs": check_op_defs, "exported": check_exported, "imported": check_imported,
         "files": interop_files.check_files, "models": interop_models.check_models}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *PARTS])
    parts = parser.parse_args().parts or list(PARTS)
    tf.disable_v2_behavior()
    report = Report()
    for part in parts:
        before = report.passed + report.failed
        with tempfile.TemporaryDirectory() as scratch:
            PARTS[part](report, pathlib.Path(scratch))
        print(f"{part}: {report.passed + report.failed - before} checks", flush=True)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
