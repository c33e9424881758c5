"""What C++ programs measure themselves: rill_bench's benchmarks, and the machine's peaks."""
import dataclasses
import json
import os
import re
import subprocess

from report import best_decile, human
from rivals import BUILD, ROOT

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


@dataclasses.dataclass
class Peaks:
    """What the machine can do at most, in a second."""
    flops: float
    bytes: float  # of memory that no cache of a core holds

    def shortest(self, workload):
        """The seconds that a workload takes at least, as far as it says what it does."""
        return max(workload.flops / self.flops, workload.bytes / self.bytes)


def peaks(threads):
    """As `rill bench --peaks` measures them; None without the command."""
    try:
        out = subprocess.run([ROOT / "bin" / "rill", "bench", "--peaks", "--threads", str(threads), "--json", "-"],
                             check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = json.loads(out)["peaks"]
    return Peaks(found["gflops_float"] * 1e9, found["gigabytes_per_second"] * 1e9)


def benchmarks(pattern, *options):
    """Rows of rill_bench, by name."""
    command = [BUILD / "bin" / "rill_bench", "--benchmark_format=json", f"--benchmark_filter={pattern}", *options]
    out = subprocess.run(command, env=dict(os.environ, GOMP_SPINCOUNT="1000"), check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    rows = json.loads(out)["benchmarks"] if out else []  # nothing when no benchmark has such a name
    return {re.sub(r"/iterations:\d+", "", row["name"]): row for row in rows}


def show(pattern, rounds):
    samples = {}
    for _ in range(rounds):
        for name, row in benchmarks(pattern or "-yardstick", "--benchmark_min_time=0.02").items():
            samples.setdefault(name, []).append(row["real_time"] * UNITS[row["time_unit"]])
    for name, values in samples.items():
        print(f"{name:34}{human(best_decile(values), 's'):>14}")
    if pattern:
        return
    print("\nSpeed as a part of oneDNN's, called directly, and of copying's:")
    for name, row in benchmarks("yardstick").items():
        print(f"{name:40}" + ", ".join(f"{key} {value:.2f}" for key, value in row.items() if "of_" in key))
