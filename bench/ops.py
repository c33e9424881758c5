"""Compares single ops with TensorFlow and PyTorch: interleaved rounds, best decile by best decile.

usage: ops.py [FILTER] [--rounds N] [--threads N] [--json FILE]

Without a filter also compares with oneDNN, called directly, and with copying memory.
Rivals that are not installed are left out, which is said.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

from op_cases import all_cases
from run import BUILD, ROOT, best_decile, human

WORKER = ROOT / "bench" / "op_worker.py"
TORCH = os.environ.get("RILL_TORCH", "/usr/bin/python3")  # a Python that has PyTorch
ACCEPTED = 1.1  # the ratio above which a row is marked


class Worker:
    """A process that measures cases under one framework."""

    def __init__(self, python, framework, threads, path="", script=WORKER, given=()):
        # libgomp's default spinning stalls threads that share a core for whole time slices.
        env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", GOMP_SPINCOUNT="1000", PYTHONPATH=path)
        self.framework = framework
        command = [python, script, framework, str(threads), *given]
        self.process = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.refused = {}

    def measure(self, case):
        """Nanoseconds per op, or NaN."""
        return math.nan if case in self.refused else self.ask(case) * 1e9

    def ask(self, case):
        """The number that the worker answers with, or NaN."""
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        answer, _, reason = self.process.stdout.readline().strip().partition(" ")
        if not answer:
            raise SystemExit(f"bench: the {self.framework} worker died in {case}")
        if reason:
            self.refused[case] = reason
        return float(answer)


def start_workers(threads, script=WORKER):
    path = f"{ROOT}/python:{ROOT}/python/compat"
    workers = [Worker(ROOT / ".venv/bin/python", "rill", threads, path, script),
               Worker(ROOT / ".oracle/bin/python", "tensorflow", threads, script=script)]
    version = subprocess.run([TORCH, "-c", "import torch; print(torch.__version__)"], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if version.returncode == 0:
        print(f"PyTorch {version.stdout.strip()} of {TORCH}")
        workers.append(Worker(TORCH, "torch", threads, script=script))
    else:
        print(f"PyTorch is absent from {TORCH}: compared with TensorFlow alone")
    return workers


def listed_cases(script):
    """The cases of a worker, without importing a framework here."""
    listed = re.search(r"^CASES = .*?\((.*?)\)}", script.read_text(), re.S | re.M).group(1)
    return re.findall(r"\w+", listed)


def measure_all(workers, names, rounds):
    """Best deciles: {case: {framework: nanoseconds}}."""
    samples = {name: [[] for _ in workers] for name in names}
    for round_number in range(rounds):
        print(f"\rround {round_number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        for name in names:
            for worker, kept in zip(workers, samples[name]):
                kept.append(worker.measure(name))
    print(file=sys.stderr)
    return {name: {worker.framework: best_decile(kept)
                   for worker, kept in zip(workers, samples[name])} for name in names}


def ratio(times):
    """Rill's time over the better rival's."""
    rivals = [time for framework, time in times.items()
              if framework != "rill" and not math.isnan(time)]
    return times["rill"] / min(rivals, default=math.nan)


def print_table(results, frameworks, what="op"):
    print(f"{what:28}" + "".join(f"{framework:>14}" for framework in frameworks) + f"{'ratio':>8}")
    for name, times in results.items():
        cells = "".join(f"{'-' if math.isnan(times[f]) else human(times[f]):>14}"
                        for f in frameworks)
        mark = " *" if ratio(times) > ACCEPTED else ""
        print(f"{name:28}{cells}{ratio(times):>8.2f}{mark}")
    ratios = [value for value in map(ratio, results.values()) if not math.isnan(value)]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
    slow = sum(value > ACCEPTED for value in ratios)
    print(f"\n{len(results)} {what}s, ratio to the better rival {mean:.2f} in the geometric mean, "
          f"{slow} above {ACCEPTED} (*)")


def yardsticks():
    """What rill_bench measures beside oneDNN and copying: {name: {counter: value}}."""
    command = [BUILD / "bin" / "rill_bench", "--benchmark_format=json",
               "--benchmark_filter=yardstick"]
    out = subprocess.run(command, env=dict(os.environ, GOMP_SPINCOUNT="1000"), check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {re.sub(r"/iterations:\d+", "", row["name"]): {
        key: row[key] for key in row if key.endswith(("_us", "_s")) or "of_" in key}
            for row in json.loads(out.stdout)["benchmarks"]}


def print_yardsticks(rows):
    print("\nSpeed as a part of oneDNN's, called directly, and of copying's:")
    for name, counters in rows.items():
        parts = [f"{key} {value:.2f}" for key, value in counters.items() if "of_" in key]
        print(f"{name:40}{', '.join(parts)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()

    names = [case.name for case in all_cases() if re.search(args.filter, case.name)]
    workers = start_workers(args.threads)
    results = measure_all(workers, names, args.rounds)
    print_table(results, [worker.framework for worker in workers])
    for worker in workers:
        for name, reason in worker.refused.items():
            print(f"{worker.framework} does not run {name}: {reason}")
    measured = {} if args.filter else yardsticks()
    if measured:
        print_yardsticks(measured)
    if args.json:
        ops = {name: {f: None if math.isnan(t) else t for f, t in times.items()}
               for name, times in results.items()}
        args.json.write_text(json.dumps({"ops_ns": ops, "yardsticks": measured}, indent=1))


if __name__ == "__main__":
    main()
