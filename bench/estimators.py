"""Compares estimators with TensorFlow's: a prediction for one example, a step of training.

usage: estimators.py [FILTER] [--rounds N] [--threads N] [--json FILE]

The cases are in estimator_worker.py. A row is marked unless Rill is 50 times as fast (predictions) or twice (training).
"""
import argparse
import json
import math
import pathlib
import re
import tempfile

from ops import Worker, listed_cases, measure_all
from run import ROOT, human

WORKER = ROOT / "bench" / "estimator_worker.py"
WANTED = {"predict": 50, "train": 2}


def start_workers(threads, folder):
    path = f"{ROOT}/python:{ROOT}/python/compat"
    return [Worker(ROOT / ".venv/bin/python", "rill", threads, path, WORKER, (folder,)),
            Worker(ROOT / ".oracle/bin/python", "tensorflow", threads, script=WORKER, given=(folder,))]


def print_table(results):
    print(f"{'case':26}{'rill':>12}{'tensorflow':>14}{'x tensorflow':>14}")
    for name, times in results.items():
        speedup = times["tensorflow"] / times["rill"]
        mark = "" if speedup >= WANTED[name.partition("_")[0]] else " *"
        print(f"{name:26}{human(times['rill']):>12}{human(times['tensorflow']):>14}{speedup:>14.2f}{mark}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="rill_bench_") as folder:
        names = [name for name in listed_cases(WORKER) if re.search(args.filter, name)]
        workers = start_workers(args.threads, folder)
        results = measure_all(workers, names, args.rounds)
    print_table(results)
    for worker in workers:
        for name, reason in worker.refused.items():
            print(f"{worker.framework} does not run {name}: {reason}")
    if args.json:
        times = {name: {f: None if math.isnan(t) else t for f, t in row.items()} for name, row in results.items()}
        args.json.write_text(json.dumps({"estimators_ns": times}, indent=1))


if __name__ == "__main__":
    main()
