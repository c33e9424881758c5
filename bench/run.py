"""Measures Rill beside TensorFlow and PyTorch: interleaved rounds, best decile against best decile, as ratios.

usage: run.py [GROUP] [FILTER] [--rounds N] [--threads N] [--quick] [--clock wall|cpu] [--json FILE] [--png FILE]
              [--list]

GROUP is one of those that --list names, FILTER a regular expression that names of workloads must match; without a
group all that --list does not call "on request" are run. A ratio is Rill's time over the better rival's: below 1
Rill is faster.
"""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cpp
import report
from rivals import ROOT, Worker, described
from workloads import GROUPS, group_named

QUICK_ROUNDS, QUICK_WINDOW = 3, 0.5


def parsed_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("group", nargs="?", default="")
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="few rounds: a look, not a measurement")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="cpu: the time that all threads had a processor, for a machine that is not quiet")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / "build" / "bench" / "results.json")
    parser.add_argument("--png", type=pathlib.Path, help="a chart, beside the JSON if not said")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.group and not group_named(args.group) and args.group != "cpp":
        args.group, args.filter = "", args.group
    args.rounds = args.rounds or (QUICK_ROUNDS if args.quick else 20)
    args.window = QUICK_WINDOW if args.quick else 1
    args.png = args.png or args.json.with_suffix(".png")
    return args


def print_groups():
    for group in GROUPS:
        print(f"  {group.name:14}{group.doc}{'' if group.by_default else ' (on request)'}")
        print("".join(f"    {one.name}\n" for one in group.workloads()), end="")
    print("  cpp           the same questions from C++, and yardsticks (on request)")


def measured(group, workloads, workers, rounds):
    """Rows: every framework in turn measures a workload, and that in every round."""
    samples = {one.name: {worker.framework: [] for worker in workers} for one in workloads}
    rounds = min(rounds, group.rounds or rounds)
    for number in range(rounds):
        print(f"\r{group.name}: round {number + 1} of {rounds} ", end="", file=sys.stderr, flush=True)
        for one in workloads:
            for worker in workers:
                samples[one.name][worker.framework].append(worker.measure(one.name))
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return [report.Row(group, one, {f: report.best_decile(kept) for f, kept in samples[one.name].items()},
                       {worker.framework: worker.shapes.get(one.name) for worker in workers}) for one in workloads]


def run_group(group, args, installed, peaks):
    workloads = [one for one in group.workloads() if re.search(args.filter, one.name)]
    if not workloads:
        return []
    args.folder = tempfile.mkdtemp(prefix="rill_bench_")
    workers = [Worker(name, group, args) for name in group.frameworks if name == "files" or name in installed]
    try:
        rows = measured(group, workloads, workers, args.rounds)
    finally:
        for worker in workers:
            worker.stop()
        shutil.rmtree(args.folder, ignore_errors=True)
    report.print_group(group, rows, peaks)
    report.print_refusals(workers)
    return rows


def draw(args):
    """With Python's matplotlib, where ./do bench could install it."""
    python = ROOT / ".chart" / "bin" / "python"
    if not python.exists():
        print("No chart: matplotlib is not installed")
        return
    subprocess.run([python, ROOT / "bench" / "chart.py", args.json, args.png], check=True)
    print(f"Chart: {args.png}")


def main():
    args = parsed_arguments()
    if args.list:
        return print_groups()
    if args.group == "cpp":
        return cpp.show(args.filter, args.rounds)
    installed = described()
    print("\n".join(installed.values()))
    for name in {"tensorflow", "torch"} - set(installed):
        print(f"{name} is absent: compared without it")
    peaks = cpp.peaks(1 if args.clock == "cpu" else args.threads)  # a second of a processor, or of all
    print(f"The machine's peak: {peaks.flops * 1e-9:.0f} GFLOP/s, {peaks.bytes * 1e-9:.0f} GB/s"
          if peaks else "The machine's peak is not known")

    rows = []
    for group in [group_named(args.group)] if args.group else [group for group in GROUPS if group.by_default]:
        rows += run_group(group, args, installed, peaks)
    report.print_summary(rows, peaks)
    about = {"frameworks": installed, "rounds": args.rounds, "threads": args.threads, "clock": args.clock,
             "peaks": dataclasses.asdict(peaks) if peaks else None, "cores": os.cpu_count(), "date": datetime.date.today().isoformat()}
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps(report.as_json(rows, about), indent=1))
    print(f"Results: {args.json}")
    draw(args)


if __name__ == "__main__":
    main()
