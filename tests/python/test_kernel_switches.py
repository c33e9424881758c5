"""Kernels and fast paths switched off by the environment."""
import os
import subprocess
import sys

PROGRAM = """
import numpy as np
import rill as tf
x = tf.placeholder(tf.float32, [3, 12, 12, 6])
image = np.arange(3 * 12 * 12 * 6, dtype=np.float32).reshape(3, 12, 12, 6) % 7
filters = np.arange(9 * 6 * 20, dtype=np.float32).reshape(3, 3, 6, 20) % 5
y = tf.matmul(tf.reshape(tf.nn.conv2d(x, filters, [1, 1, 1, 1], "SAME"), [36, 240]), np.ones([240, 2], np.float32))
with tf.Session() as session:
    print(session.run(tf.reduce_sum(y), {x: image}))
"""


def ran(off=""):
    given = {**os.environ, "RILL_LOG": "kernel", "RILL_KERNELS_OFF": off}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=given, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1]), done.stderr


def test_kernels_and_fast_paths_are_switched_off_by_name():
    value, log = ran()
    assert "switched off" not in log and "matmul:onednn chosen" in log
    other, log = ran("matmul:onednn,conv:onednn")
    assert "matmul:onednn declined (is switched off)" in log and "matmul:ref chosen" in log
    assert "conv:onednn declined (is switched off), conv:patches chosen" in log
    assert abs(other - value) <= 1e-5 * abs(value)


def test_the_last_kernel_of_an_op_runs_all_the_same():
    value, _ = ran()
    other, log = ran("matmul:onednn,matmul:ref")
    assert "matmul:ref declined (is switched off)" in log
    assert abs(other - value) <= 1e-5 * abs(value)
