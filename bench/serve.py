"""Measures the model server, asked by a second process on loopback that shares its cores.

usage: serve.py [--seconds S] [--rounds N] [--json FILE]

Prints what was measured and whether each target holds. About two minutes.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import serving

ORACLE = serving.ROOT / ".oracle/bin/python"
HIDDEN = (512, 1024)  # units in the layers of perceptrons
WANTED_RATE = 12_000  # requests in a second that the server must answer at least


def best(reports, key="rate"):
    return max(reports, key=lambda report: report[key])


class PythonServer:
    """The same model behind gRPC's Python server and TensorFlow."""

    def __init__(self, folder):
        self.address = f"127.0.0.1:{serving.free_port()}"
        self.process = subprocess.Popen(
            [ORACLE, serving.ROOT / "bench/serve_python.py", self.address.split(":")[1], folder],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
        if self.process.stdout.readline() != "ready\n":
            raise SystemExit("bench: the Python server did not start; is tensorflow-serving-api installed?")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def make_models(folder):
    makers = {"half": serving.half_plus(2), "pictures": serving.pictures}
    makers |= {f"mlp_{hidden}": serving.perceptron(hidden) for hidden in HIDDEN}
    for name, make in makers.items():
        serving.save(folder / name / "2", make)
    (folder / "models.config").write_text("model_config_list {\n" + "".join(
        f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}\n'
        for name in makers) + "}\n")
    (folder / "monitoring.config").write_text("prometheus_config { enable: true }")
    return [f"--model_config_file={folder / 'models.config'}",
            f"--monitoring_config_file={folder / 'monitoring.config'}"]


def saturate(server, python, rounds, seconds):
    """Half-plus-two over gRPC (by our client and by gRPC's) and REST, and behind Python, in turn."""
    asked = {"grpc": (server.grpc, "h2", 8, 8), "grpc, gRPC's client": (server.grpc, "grpc", 8, 8),
             "rest": (server.rest, "rest", 64, 1), "python": (python.address, "h2", 8, 4)}
    reports = {kind: [] for kind in asked}
    for _ in range(rounds):
        for kind, (address, protocol, connections, in_flight) in asked.items():
            spent = server.cpu_seconds()
            report = serving.load(address, "half", protocol, seconds=seconds, connections=connections,
                                  in_flight=in_flight)
            if address != python.address:
                report["server_cpu_us"] = (server.cpu_seconds() - spent) / report["requests"] * 1e6
            reports[kind].append(report)
    failed = sum(report["failed"] for kind in reports.values() for report in kind)
    if failed:
        raise SystemExit(f"bench: {failed} requests failed: {reports}")
    return {kind: best(each) for kind, each in reports.items()}


def steady(server, rate, seconds):
    """Latencies at a fixed rate, from when requests should have been sent."""
    return {kind: serving.load(address, "half", protocol, seconds=seconds, rate=rate, connections=8, in_flight=8)
            for kind, protocol, address in (("grpc", "h2", server.grpc), ("rest", "rest", server.rest))}


def batching(server, batched, model, rounds, seconds):
    reports = {"alone": [], "batched": []}
    ask = {"connections": 8, "in_flight": 16, "width": 784}
    for one in (server, batched):  # the first requests compile the step, and teach the server what it costs
        serving.load(one.grpc, model, "h2", seconds=seconds / 2, **ask)
    for _ in range(rounds):
        for kind, one in (("alone", server), ("batched", batched)):
            reports[kind].append(serving.load(one.grpc, model, "h2", seconds=seconds, **ask))
    return {kind: best(each) for kind, each in reports.items()}


def histogram(text, name, labels):
    """The cumulative counts of one Prometheus histogram, by the ends of its buckets."""
    ends = {}
    for line in text.splitlines():
        if line.startswith(name + "_bucket{") and all(label in line for label in labels):
            end = re.search(r'le="([^"]*)"', line).group(1)
            ends[float(end.replace("+Inf", "inf"))] = ends.get(float(end.replace("+Inf", "inf")), 0) + int(
                line.rsplit(" ", 1)[1])
    return ends


def median_between(before, after):
    """The median of what came between two states of a histogram, even within a bucket."""
    ends = sorted(after)
    counts = [after[end] - before.get(end, 0) for end in ends]
    if not ends or counts[-1] == 0:
        return None
    half, low, below = counts[-1] / 2, 0.0, 0
    for end, count in zip(ends, counts):
        if count >= half:
            return low + (end - low) * (half - below) / (count - below) if end != float("inf") else low
        low, below = end, count
    return None


def server_time(server, seconds):
    """Microseconds that the server adds to the session's run, for half of the requests that it must be able to answer."""
    names = {"request": ":tensorflow:serving:request_latency", "run": ":tensorflow:serving:runtime_latency"}
    labels = ['model_name="half"', 'API="Predict"']

    def state():
        text = server.get("/monitoring/prometheus/metrics").decode()
        return {kind: histogram(text, name, labels) for kind, name in names.items()}

    before = state()
    serving.load(server.grpc, "half", "h2", seconds=seconds, rate=WANTED_RATE, connections=8)
    after = state()
    medians = {kind: median_between(before[kind], after[kind]) for kind in names}
    medians["added"] = None if None in medians.values() else medians["request"] - medians["run"]
    return medians


def micro(pattern):
    """What the C++ benchmarks say of the server's parts, by name."""
    command = [serving.BUILD / "bin/rill_bench", "--benchmark_format=json", "--benchmark_min_time=0.3",
               f"--benchmark_filter={pattern}"]
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return {row["name"]: row for row in json.loads(out)["benchmarks"]}


def picture_over_rest(server):
    """A picture of 1024 x 1024 x 3 as JSON, there and back: megabytes in a second."""
    row = ",".join(f"[{i % 10}.5,{i % 7}.25,0.{i % 9}]" for i in range(1024))
    body = ('{"instances": [[' + ",".join(f"[{row}]" for _ in range(1024)) + "]]}").encode()
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        answer = server.post("/v1/models/pictures:predict", body)
        times.append(time.perf_counter() - begin)
    return {"request_bytes": len(body), "answer_bytes": len(answer), "seconds": min(times),
            "mb_per_s": (len(body) + len(answer)) / min(times) / 1e6}


def measure(rounds, seconds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flags = make_models(folder)
        found = {}
        with serving.Server(folder, *flags) as server:
            with PythonServer(folder / "half/2") as python:
                serving.load(server.grpc, "half", seconds=1)
                found["saturated"] = saturate(server, python, rounds, seconds)
            rate = found["saturated"]["grpc"]["rate"]
            found["steady"] = {f"{part}%": steady(server, rate * part / 100, seconds) for part in (30, 60)}
            found["server_time_us"] = server_time(server, 2 * seconds)
            found["picture"] = picture_over_rest(server)
            with serving.Server(folder, *flags, "--enable_batching") as batched:
                found["mlp"] = {hidden: batching(server, batched, f"mlp_{hidden}", rounds, seconds / 2)
                                for hidden in HIDDEN}
        found["parts"] = micro("serve/(bare_step|predict_request|read_picture)")
    return found


def targets(found):
    """Name, measured, wanted, whether it holds."""
    grpc, rest, python = (found["saturated"][kind] for kind in ("grpc", "rest", "python"))
    added = found["server_time_us"]["added"]
    if added is None:  # the server has no such histograms: its parts, alone in a process
        parts = found["parts"]
        added = (parts["serve/predict_request"]["real_time"] - parts["serve/bare_step"]["real_time"]) / 1e3
    gigabytes = max(row["bytes_per_second"] for name, row in found["parts"].items() if "read_picture" in name) / 1e9
    mlp = {hidden: reports["batched"]["rate"] / reports["alone"]["rate"] for hidden, reports in found["mlp"].items()}
    return [
        ("gRPC requests/s", grpc["rate"], f"≥ {WANTED_RATE}", grpc["rate"] >= WANTED_RATE),
        ("  p99 meanwhile, ms", grpc["p99_us"] / 1e3, "≤ 10", grpc["p99_us"] <= 10e3),
        ("server time less the run, us", added, "≤ 60", added <= 60),
        ("REST / gRPC", rest["rate"] / grpc["rate"], "≥ 0.7", rest["rate"] >= 0.7 * grpc["rate"]),
        *((f"batched / alone, {hidden} hidden units", ratio, "≥ 3", ratio >= 3) for hidden, ratio in mlp.items()),
        ("JSON picture, GB/s", gigabytes, "≥ 1", gigabytes >= 1),
        ("gRPC / Python and TensorFlow", grpc["rate"] / python["rate"], "≥ 5", grpc["rate"] >= 5 * python["rate"]),
    ]


def show_loads(found):
    print(f"{'load':40}{'requests/s':>12}{'p50 us':>10}{'p99 us':>10}{'CPU us':>10}")
    rows = [(f"half, {kind}, closed loop", report) for kind, report in found["saturated"].items()]
    rows += [(f"half, {kind}, {part} of that", report)
             for part, kinds in found["steady"].items() for kind, report in kinds.items()]
    rows += [(f"MLP of {hidden}, grpc, {kind}", report)
             for hidden, kinds in found["mlp"].items() for kind, report in kinds.items()]
    for name, report in rows:
        cpu = f"{report['server_cpu_us']:.1f}" if report.get("server_cpu_us") else ""
        print(f"{name:40}{report['rate']:>12.0f}{report['p50_us']:>10.0f}{report['p99_us']:>10.0f}{cpu:>10}")
    picture = found["picture"]
    print(f"{'a picture as JSON, there and back':40}{picture['mb_per_s']:>12.0f} MB/s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    found = measure(args.rounds, args.seconds)
    found["targets"] = [dict(zip(("name", "measured", "wanted", "holds"), row)) for row in targets(found)]
    show_loads(found)
    print(f"\n{'target':40}{'measured':>12}{'wanted':>12}")
    for row in found["targets"]:
        print(f"{row['name']:40}{row['measured']:>12.2f}{row['wanted']:>12}  {'holds' if row['holds'] else 'MISSED'}")
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    sys.exit(main())
