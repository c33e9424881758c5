"""What the benchmarks that compare with TensorFlow alone have in common: how many times as fast Rill is."""
import argparse
import json
import math
import pathlib
import re
import tempfile

from ops import Worker, listed_cases, measure_all
from run import ROOT, human


def start_workers(script, threads, folder):
    path = f"{ROOT}/python:{ROOT}/python/compat"
    return [Worker(ROOT / ".venv/bin/python", "rill", threads, path, script, (folder,)),
            Worker(ROOT / ".oracle/bin/python", "tensorflow", threads, script=script, given=(folder,))]


def print_table(results, wanted):
    print(f"{'case':26}{'rill':>12}{'tensorflow':>14}{'x tensorflow':>14}")
    for name, times in results.items():
        speedup = times["tensorflow"] / times["rill"]
        mark = "" if speedup >= wanted(name) else " *"
        print(f"{name:26}{human(times['rill']):>12}{human(times['tensorflow']):>14}{speedup:>14.2f}{mark}")


def compare(what, script, wanted):
    """Measures the cases of a worker; a row is marked unless Rill is wanted(case) times as fast."""
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="rill_bench_") as folder:
        names = [name for name in listed_cases(script) if re.search(args.filter, name)]
        workers = start_workers(script, args.threads, folder)
        results = measure_all(workers, names, args.rounds)
    print_table(results, wanted)
    for worker in workers:
        for name, reason in worker.refused.items():
            print(f"{worker.framework} does not run {name}: {reason}")
    if args.json:
        times = {name: {f: None if math.isnan(t) else t for f, t in row.items()} for name, row in results.items()}
        args.json.write_text(json.dumps({f"{what}_ns": times}, indent=1))
