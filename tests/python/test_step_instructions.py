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
# Under callgrind a step takes long enough to be one of those whose time goes to the figures of the process, which
# is 200 instructions; alone, one in sixteen of such steps is.
MOST = {"noop": 1_850, "add": 3_800, "perceptron": 13_800}


@pytest.mark.skipif(not shutil.which("valgrind") or not BENCH.exists(), reason="needs valgrind and rill_bench")
@pytest.mark.parametrize("graph", MOST)
def test_a_warm_step_takes_few_instructions(graph, tmp_path):
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=*measured_work*",
               f"--callgrind-out-file={tmp_path}/out", BENCH, f"--benchmark_filter=^step/{graph}/"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    counted = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
    assert 0 < counted <= MOST[graph]
