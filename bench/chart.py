"""Draws what run.py measured: a bar of Rill's ratio to the better rival for each workload, by groups.

usage: chart.py RESULTS.json CHART.png
"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

FASTER, SLOWER, MEAN = "#2a7f62", "#c0504d", "#3b5b92"
LIMITS = 0.005, 4


def bars(results):
    """(label, ratio, colour) from the top; None between groups."""
    for name, group in results["groups"].items():
        rows = [(row, values["ratio"]) for row, values in group["rows"].items() if values["ratio"]]
        if not rows:
            continue
        yield f"{name} (geometric mean)", group["geometric_mean"], MEAN
        for row, ratio in rows:
            yield row, ratio, FASTER if ratio <= 1 else SLOWER
        yield None


def draw(results, path):
    drawn = list(bars(results))
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.19 * max(len(drawn), 5)))
    for place, bar in enumerate(drawn):
        if bar is None:
            continue
        label, ratio, colour = bar
        axes.barh(place, ratio - LIMITS[0], left=LIMITS[0], color=colour, height=0.75)
        axes.text(ratio * 1.05, place, f"{ratio:.2f}", va="center", fontsize=6)
    named = [(place, bar[0]) for place, bar in enumerate(drawn) if bar]
    axes.set_yticks([place for place, _ in named], [label for _, label in named], fontsize=6)
    for tick, (_, label) in zip(axes.get_yticklabels(), named):
        tick.set_fontweight("bold" if label.endswith("mean)") else "normal")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(*LIMITS)
    axes.set_ylim(len(drawn), -1)
    axes.set_xlabel("Rill / the better of its rivals (below 1: Rill takes less)")
    axes.set_title("; ".join(results["about"]["frameworks"].values()), fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
