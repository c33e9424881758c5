"""Runs tests/random under TensorFlow and writes tests/golden/random.json.

TensorFlow 2.15 numbers random ops in the order in which they ask for a seed and leaves out the range of random_uniform
where it is [0, 1). Here it does as 1.15: the number is that of the nodes made so far, and the range is there.
"""
import json
import os
import pathlib
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf  # noqa: E402  (reads the environment when it is imported)
from tensorflow.python.framework import random_seed  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "random"))

import random_programs as programs  # noqa: E402
import random_record as record  # noqa: E402

get_seed, random_uniform = random_seed.get_seed, tf.random_uniform


def get_seed_of_1_15(op_seed):
    graph = tf.get_default_graph()
    if op_seed is None and graph.seed is not None:
        op_seed = len(graph.get_operations())
    return get_seed(op_seed)


def random_uniform_of_1_15(shape, minval=0, maxval=None, dtype=tf.float32, seed=None, name=None):
    if dtype.is_floating:
        minval, maxval = float(minval), 1.0 if maxval is None else float(maxval)
    return random_uniform(shape, minval, maxval, dtype, seed, name)


tf.disable_v2_behavior()
random_seed.get_seed = get_seed_of_1_15
tf.random_uniform = tf.random.uniform = random_uniform_of_1_15
config = tf.ConfigProto(intra_op_parallelism_threads=1)
goldens = {name: record.run(tf, name, config=config) for name in sorted(programs.PROGRAMS)}
lines = [f"{json.dumps(name)}: {json.dumps(golden, sort_keys=True)}"
         for name, golden in goldens.items()]
(ROOT / "tests" / "golden" / "random.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
print(f"{len(goldens)} programs")
