"""Runs the programs of tests/flow on the CPU and again on the device of a library, argument 1: values must have the
same bits."""
import ctypes
import os
import pathlib
import sys

import numpy as np

os.environ["RILL_REWRITES_OFF"] = "all"  # the same kernels on both
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))

import flow_programs  # noqa: E402
import tensorflow as tf  # noqa: E402


def outcome(name):
    with tf.Graph().as_default() as graph:
        try:
            steps = flow_programs.PROGRAMS[name](tf)
            found = []
            with tf.Session() as session:
                for fetches, feeds in steps:
                    feeds = {graph.get_tensor_by_name(key + ":0"): value for key, value in feeds.items()}
                    values = session.run(fetches, feeds)
                    values = values if isinstance(values, (list, tuple)) else [values]
                    found.append([(value.dtype, value.shape, value.tobytes()) for value in map(np.asarray, values)])
            return found
        except Exception as error:
            return type(error).__name__


def main(library):
    on_cpu = {name: outcome(name) for name in flow_programs.PROGRAMS}
    tf.load_op_library(library)
    for name, here in on_cpu.items():
        if outcome(name) != here:
            print("differs:", name)
    errors = sum(isinstance(here, str) for here in on_cpu.values())
    print(len(on_cpu), "programs,", ctypes.CDLL(library).stand_in_kernels_run(), "kernels,", errors, "errors")


main(sys.argv[1])
