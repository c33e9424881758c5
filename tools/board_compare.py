"""Compares what `rill board` and TensorBoard answer for the same logs, route by route.

  python tools/board_compare.py LOGDIR --tensorboard PROGRAM [--rill bin/rill]

Exits 1 when any value differs. Addresses of pictures and clips are opened, and their bytes compared.
"""
import argparse
import contextlib
import json
import math
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# Its fast loader takes 0 for nothing, its other one for everything.
UNLIMITED = ",".join(f"{kind}=1000000" for kind in ("scalars", "images", "histograms", "audio", "text", "pr_curves", "tensors", "mesh"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A dashboard over HTTP."""

    def __init__(self, command):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fetch(self, path, data=None):
        headers = {"Content-Type": "application/json"} if data is not None else {}
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def ask(self, path, data=None, **parameters):
        query = urllib.parse.urlencode({k: v for k, v in parameters.items() if v is not None}, doseq=True)
        body = None if data is None else json.dumps(data).encode()
        try:
            return json.loads(self.fetch(f"/data/{path}?{query}", body))
        except urllib.error.HTTPError as error:
            return {"status": error.code}

    def wait(self, runs):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                if len(self.ask("runs")) >= runs and self.ask("plugin/scalars/tags"):
                    time.sleep(1)
                    return self
            time.sleep(0.2)
        raise SystemExit(f"{self.address} does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def same(a, b):
    """Whether two answers are equal, numbers but for the last bits."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool) and not isinstance(b, bool):
        return a == b or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15)
    return a == b


def short(value):
    text = json.dumps(value)
    return text if len(text) < 700 else text[:700] + "..."


class Comparison:
    def __init__(self, theirs, ours):
        self.theirs, self.ours = theirs, ours
        self.count = 0
        self.failures = []

    def both(self, path, data=None, clean=lambda answer: answer, **parameters):
        """Their answer, after it has been compared with ours."""
        theirs, ours = (clean(server.ask(path, data, **parameters)) for server in (self.theirs, self.ours))
        self.count += 1
        if not same(theirs, ours):
            self.failures.append(f"{path} {parameters} {data or ''}\n  theirs {short(theirs)}\n  ours   {short(ours)}")
        return theirs

    def blobs(self, plugin, single, **parameters):
        """Lists of pictures or clips, and the bytes behind them."""
        lists = [server.ask(f"plugin/{plugin}/{plugin}", **parameters) for server in (self.theirs, self.ours)]
        plain = [[{k: v for k, v in one.items() if k != "query"} for one in entries] for entries in lists]
        self.count += 1
        if not same(*plain):
            self.failures.append(f"{plugin} {parameters}\n  theirs {short(plain[0])}\n  ours   {short(plain[1])}")
            return
        for one, other in zip(*lists):
            self.count += 1
            bytes_of = [server.fetch(f"/data/plugin/{plugin}/{single}?{entry['query']}")
                        for server, entry in ((self.theirs, one), (self.ours, other))]
            if bytes_of[0] != bytes_of[1]:
                self.failures.append(f"{plugin} {parameters}: other bytes")


def compare(theirs, ours):
    c = Comparison(theirs, ours)
    c.both("runs")
    enabled = lambda listing: {name: part["enabled"] for name, part in listing.items() if name in (
        "scalars", "images", "audio", "graphs", "histograms", "distributions", "text", "pr_curves", "hparams", "mesh", "custom_scalars")}
    c.both("plugins_listing", clean=enabled)
    for run, tags in c.both("plugin/scalars/tags").items():
        for tag in tags:
            c.both("plugin/scalars/scalars", run=run, tag=tag)
    for plugin in ("histograms", "distributions"):
        for run, tags in c.both(f"plugin/{plugin}/tags").items():
            for tag in tags:
                c.both(f"plugin/{plugin}/{plugin}", run=run, tag=tag)
    for plugin, single in (("images", "individualImage"), ("audio", "individualAudio")):
        for run, tags in c.both(f"plugin/{plugin}/tags").items():
            for tag, facts in tags.items():
                for sample in range(max(facts["samples"], 1)):
                    c.blobs(plugin, single, run=run, tag=tag, sample=sample)
    sort = lambda answer: {run: sorted(tags) for run, tags in answer.items()}
    for run, tags in c.both("plugin/text/tags", clean=sort).items():
        for tag in tags:
            c.both("plugin/text/text", run=run, tag=tag)
            c.both("plugin/text/text", run=run, tag=tag, markdown="false")
    for run, tags in c.both("plugin/pr_curves/tags").items():
        for tag in tags:
            c.both("plugin/pr_curves/pr_curves", run=run, tag=tag)
    for run, info in c.both("plugin/graphs/info").items():
        tags = [None] * info["run_graph"] + [tag for tag, has in info["tags"].items() if has["op_graph"]]
        for tag in tags:
            graphs = [server.fetch(f"/data/plugin/graphs/graph?{urllib.parse.urlencode({'run': run, **({'tag': tag} if tag else {})})}").decode()
                      for server in (theirs, ours)]
            names = [re.findall(r'^node \{\n  name: "(.*)"\n  op: "(.*)"', text, re.M) for text in graphs]
            c.count += 1
            if sorted(names[0]) != sorted(names[1]):
                c.failures.append(f"graph of {run} {tag}: {len(names[0])} nodes and {len(names[1])}")
    for run, tags in c.both("plugin/mesh/tags").items():
        for tag in tags:
            c.both("plugin/mesh/meshes", run=run, tag=tag, clean=lambda parts: sorted(parts, key=json.dumps))
            for content in ("VERTEX", "FACE", "COLOR"):
                query = urllib.parse.urlencode({"run": run, "tag": tag, "content_type": content, "sample": 0, "step": 0})
                c.count += 1
                if theirs.fetch(f"/data/plugin/mesh/data?{query}") != ours.fetch(f"/data/plugin/mesh/data?{query}"):
                    c.failures.append(f"mesh {run} {tag} {content}: other bytes")
    layout = lambda answer: json.loads(answer) if isinstance(answer, str) else answer
    c.both("plugin/custom_scalars/layout", clean=layout)
    for run in theirs.ask("runs"):
        c.both("plugin/custom_scalars/scalars", run=run, tag="lo.*|mean")
    c.both("plugin/hparams/experiment", {}, clean=lambda answer: {**answer, "hparamInfos": [
        {**info, "domainDiscrete": sorted(info.get("domainDiscrete", []), key=str)} for info in answer.get("hparamInfos", [])]})
    statuses = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
    for aggregation in ("AGGREGATION_UNSET", "AGGREGATION_MIN", "AGGREGATION_MAX", "AGGREGATION_MEDIAN"):
        c.both("plugin/hparams/session_groups", {"allowedStatuses": statuses, "startIndex": 0, "sliceSize": 100, "aggregationType": aggregation,
                                                 "aggregationMetric": {"tag": "accuracy"}})
    c.both("plugin/hparams/session_groups", {"allowedStatuses": statuses, "startIndex": 1, "sliceSize": 1, "colParams": [
        {"hparam": "rate", "order": "ORDER_DESC"}]})
    return c


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("logdir")
    parser.add_argument("--tensorboard", default="tensorboard")
    parser.add_argument("--rill", default="bin/rill")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--flag", action="append", default=[], help="for TensorBoard, as --flag=--load_fast=false")
    flags = parser.parse_args()
    theirs = Server([flags.tensorboard, "--logdir", flags.logdir, "--samples_per_plugin", UNLIMITED, "--reload_interval", "1", *flags.flag])
    ours = Server([flags.rill, "board", "--logdir", flags.logdir])
    try:
        ours.wait(flags.runs)
        theirs.wait(len(ours.ask("runs")))
        found = compare(theirs, ours)
    finally:
        theirs.stop()
        ours.stop()
    print(f"{found.count} answers compared, {len(found.failures)} differ")
    for failure in found.failures:
        print(failure)
    sys.exit(1 if found.failures else 0)


if __name__ == "__main__":
    main()
