"""Compares training steps of whole models with TensorFlow and PyTorch: interleaved rounds.

usage: models.py [FILTER] [--rounds N] [--threads N] [--json FILE]

The models are in model_graphs.py (one text for Rill and TensorFlow) and model_torch.py.
"""
import argparse
import json
import math
import pathlib
import re

from model_graphs import MODELS
from ops import measure_all, print_table, start_workers
from run import ROOT

WORKER = ROOT / "bench" / "model_worker.py"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    names = [name for name in MODELS if re.search(args.filter, name)]
    workers = start_workers(args.threads, WORKER)
    results = measure_all(workers, names, args.rounds)
    print_table(results, [worker.framework for worker in workers], "model")
    for worker in workers:
        for name, reason in worker.refused.items():
            print(f"{worker.framework} does not run {name}: {reason}")
    if args.json:
        args.json.write_text(json.dumps(
            {name: {f: None if math.isnan(t) else t for f, t in times.items()}
             for name, times in results.items()}, indent=1))


if __name__ == "__main__":
    main()
