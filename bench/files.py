"""Compares reading and writing of files with TensorFlow and with the file system itself.

usage: files.py [FILTER] [--rounds N] [--threads N] [--folder FOLDER] [--mebibytes N] [--json FILE]

The cases are in file_worker.py. The third column is what writing or reading the same bytes takes
without any format. A row is marked unless Rill is 1.5 times as fast as TensorFlow or reaches 0.8 of
the file system's rate. At the end stands how much memory saving and restoring took beyond the model.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from ops import Worker, listed_cases, measure_all
from run import ROOT, human

WORKER = ROOT / "bench" / "file_worker.py"
WANTED_OF_TENSORFLOW, WANTED_OF_FILES = 1.5, 0.8
MEMORY = ROOT / "bench" / "file_memory.py"


def start_workers(threads, folder, mebibytes):
    path = f"{ROOT}/python:{ROOT}/python/compat"
    given = (folder, str(mebibytes))
    return [Worker(ROOT / ".venv/bin/python", "rill", threads, path, WORKER, given),
            Worker(ROOT / ".oracle/bin/python", "tensorflow", threads, script=WORKER, given=given),
            Worker(ROOT / ".venv/bin/python", "files", threads, script=WORKER, given=given)]


def memory_of(framework, folder, mebibytes):
    """Mebibytes that saving and restoring take beyond the model, in a fresh process."""
    python, path = (".venv", f"{ROOT}/python:{ROOT}/python/compat") if framework == "rill" else (".oracle", "")
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONPATH=path)
    command = [ROOT / python / "bin/python", MEMORY, framework, folder, str(mebibytes)]
    out = subprocess.run(command, env=env, text=True, check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return {name: float(value) for name, value in map(str.split, out.splitlines())}


def print_table(results):
    print(f"{'case':24}{'rill':>12}{'tensorflow':>14}{'files':>12}{'x tensorflow':>14}{'of files':>10}")
    for name, times in results.items():
        speedup, part = times["tensorflow"] / times["rill"], times["files"] / times["rill"]
        mark = "" if speedup >= WANTED_OF_TENSORFLOW or part >= WANTED_OF_FILES else " *"
        cells = "".join(f"{human(times[f]):>{width}}" for f, width in
                        (("rill", 12), ("tensorflow", 14), ("files", 12)))
        print(f"{name:24}{cells}{speedup:>14.2f}{part:>10.2f}{mark}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", default=None, help="where the files go, else a temporary one")
    parser.add_argument("--mebibytes", type=int, default=1024, help="the size of the model")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="rill_bench_", dir=args.folder)
    try:
        names = [name for name in listed_cases(WORKER) if re.search(args.filter, name)]
        workers = start_workers(args.threads, folder, args.mebibytes)
        results = measure_all(workers, names, args.rounds)
        print_table(results)
        memory = {}
        if not args.filter:
            for framework in ("rill", "tensorflow"):
                taken = memory[framework] = memory_of(framework, folder, args.mebibytes)
                print(f"{framework} took {taken['save']:.1f} MiB to save and {taken['restore']:.1f} MiB "
                      f"to restore beyond a model of {args.mebibytes} MiB")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for worker in workers:
        for name, reason in worker.refused.items():
            print(f"{worker.framework} does not run {name}: {reason}")
    if args.json:
        times = {name: {f: None if math.isnan(t) else t for f, t in row.items()}
                 for name, row in results.items()}
        args.json.write_text(json.dumps({"files_ns": times, "memory_mebibytes": memory}, indent=1))


if __name__ == "__main__":
    main()
