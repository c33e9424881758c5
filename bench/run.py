"""Compares Rill with TensorFlow in one run: interleaved rounds, best decile against best decile.

usage: run.py [FILTER] [--rounds N] [--json FILE]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKER = ROOT / "bench" / "worker.py"
BUILD = pathlib.Path(os.environ.get("RILL_BUILD", ROOT / "build" / "release"))


class Worker:
    """A process that measures cases under one framework."""

    def __init__(self, python, framework, path):
        env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONPATH=path)
        self.process = subprocess.Popen([python, WORKER, framework], env=env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)

    def measure(self, case):
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"bench: the worker died in {case}")
        return float(answer)


def best_decile(samples):
    ordered = sorted(samples)
    return ordered[len(ordered) // 10]


def measure_cpp(pattern):
    """Nanoseconds per iteration of each C++ benchmark."""
    command = [BUILD / "bin" / "rill_bench", "--benchmark_format=json", "--benchmark_min_time=0.02",
               f"--benchmark_filter={pattern or '-yardstick'}"]
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    if not out.stdout:  # no benchmark has such a name
        return {}
    units = {"ns": 1, "us": 1e3, "ms": 1e6}
    return {re.sub(r"/iterations:\d+", "", row["name"]): row["real_time"] * units[row["time_unit"]]
            for row in json.loads(out.stdout)["benchmarks"]}


def human(nanoseconds):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f} {unit}"
    return f"{nanoseconds:.0f} ns"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()

    cases = [name for name in case_names() if args.filter in name]
    rill = Worker(ROOT / ".venv/bin/python", "rill", f"{ROOT}/python:{ROOT}/python/compat")
    oracle = Worker(ROOT / ".oracle/bin/python", "tensorflow", "")
    samples = {name: ([], []) for name in cases}
    cpp = {}
    for round_number in range(args.rounds):
        print(f"\rround {round_number + 1} of {args.rounds}", end="", file=sys.stderr, flush=True)
        for name in cases:
            for worker, kept in zip((rill, oracle), samples[name]):
                kept.append(worker.measure(name) * 1e9)
        for name, value in measure_cpp(args.filter).items():
            cpp.setdefault(name, []).append(value)
    print(file=sys.stderr)

    rows = [(name, *map(best_decile, samples[name])) for name in cases]
    print(f"{'from Python':28}{'Rill':>12}{'TensorFlow':>14}{'ratio':>8}")
    for name, ours, theirs in rows:
        print(f"{name:28}{human(ours):>12}{human(theirs):>14}{ours / theirs:>8.2f}")
    print(f"\n{'from C++':28}{'Rill':>12}")
    for name, values in cpp.items():
        print(f"{name:28}{human(best_decile(values)):>12}")
    if args.json:
        args.json.write_text(json.dumps({
            "python": {name: {"rill_ns": ours, "tensorflow_ns": theirs} for name, ours, theirs in rows},
            "cpp": {name: best_decile(values) for name, values in cpp.items()}}, indent=1))


def case_names():
    """The worker's cases, without importing a framework here."""
    listed = re.search(r"for f in \((.*?)\)}", WORKER.read_text(), re.S).group(1)
    return re.findall(r"\w+", listed)


if __name__ == "__main__":
    main()
