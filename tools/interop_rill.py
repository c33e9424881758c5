#!/usr/bin/env python3
"""The other side of tools/interop.py: runs a graph that TensorFlow wrote, under Rill.

  interop_rill.py FOLDER

FOLDER holds graph.pb, steps.json and feeds.npz; results.npz and written.pb (the graph as Rill writes
it) are put beside them.
"""
import json
import pathlib
import sys

import numpy as np
import tensorflow as tf  # python/compat: Rill


def main(folder):
    graph_def = tf.GraphDef()
    graph_def.ParseFromString((folder / "graph.pb").read_bytes())
    steps = json.loads((folder / "steps.json").read_text())
    feeds = np.load(folder / "feeds.npz", allow_pickle=True)
    results = {}
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        with tf.Session(graph=graph) as session:
            for i, step in enumerate(steps):
                fetches = [graph.get_tensor_by_name(name) for name in step["fetches"]]
                fetches += [graph.get_operation_by_name(name) for name in step["targets"]]
                fed = {graph.get_tensor_by_name(name): feeds[f"{i} {name}"]
                       for name in step["feeds"]}
                values = session.run(fetches, fed)
                for j in range(len(step["fetches"])):
                    results[f"{i} {j}"] = values[j]
        (folder / "written.pb").write_bytes(graph.as_graph_def().SerializeToString())
    np.savez(folder / "results.npz", **results)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
