"""Instructions that growing things take, counted by callgrind: linear or better over three orders of magnitude.

rill/runtime/session/growth_testing.h has the cases; rill/runtime/session/growth_test.cc counts their requests of memory.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = pathlib.Path(os.environ.get("RILL_BUILD", ROOT / "build" / "release")) / "bin" / "rill_bench"
CASES = dict(re.findall(r'^    \{"(\w+)", ([\d\']+), \w+\},$',
                        (ROOT / "rill/runtime/session/growth_testing.h").read_text(), re.M))
MOST = 1.5  # how much dearer each may become; tables that grow and caches that overflow cost a little

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("valgrind") or not BENCH.exists(), reason="needs valgrind and rill_bench")]


def instructions(case, n, folder):
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=*measured_work*",
               f"--callgrind-out-file={folder}/out", BENCH, f"--benchmark_filter=^growth/{case}/{n}/"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def test_the_cases_are_found():
    assert len(CASES) >= 12


@pytest.mark.parametrize("case", CASES)
def test_each_costs_the_same(case, tmp_path):
    largest = int(CASES[case].replace("'", ""))
    sizes = [max(1, largest // 1000), max(1, largest // 100), largest // 10]
    few, some, many = (instructions(case, n, tmp_path) for n in sizes)
    # What is there without any of them goes away in differences.
    before = (some - few) / (sizes[1] - sizes[0])
    after = (many - some) / (sizes[2] - sizes[1])
    assert after <= MOST * before, f"{before:.0f} instructions for each become {after:.0f}"
