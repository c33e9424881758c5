"""Instructions of one warm step of a small graph, counted by callgrind; bench/step_bench.cc has the graphs.

They are the same in every run. Who makes a step cheaper lowers the bound; who makes it dearer says why.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = pathlib.Path(os.environ.get("RILL_BUILD", ROOT / "build" / "release")) / "bin" / "rill_bench"
# A tenth above what GCC 12 makes of it; the kernels of the perceptron depend a little on the processor.
MOST = {"noop": 1_650, "add": 3_600, "perceptron": 13_600}


MOST_TRACED = 900  # more for each node where statistics are collected; a step of 1 ms has some hundred nodes

pytestmark = pytest.mark.skipif(not shutil.which("valgrind") or not BENCH.exists(), reason="needs valgrind, rill_bench")


def instructions(graph, tmp_path):
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=*measured_work*",
               f"--callgrind-out-file={tmp_path}/out", BENCH, f"--benchmark_filter=^step/{graph}/"]
    # Under callgrind every step takes long enough to be noted in the figures of the process, which is 200 instructions;
    # alone one in sixteen of such steps is.
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
                          env=dict(os.environ, RILL_FIGURES="off"))
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


@pytest.mark.parametrize("graph", MOST)
def test_a_warm_step_takes_few_instructions(graph, tmp_path):
    assert 0 < instructions(graph, tmp_path) <= MOST[graph]


def test_statistics_take_few_instructions(tmp_path):
    assert 0 < instructions("traced", tmp_path) - instructions("chain", tmp_path) <= 100 * MOST_TRACED
