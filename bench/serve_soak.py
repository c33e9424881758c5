"""Full load with requests of every kind for a long time: the server must stay as large as it was.

usage: serve_soak.py [--minutes M] [--json FILE]

Two load generators ask as fast as the server answers; beside them one client asks everything else that there is,
sensible or not, and leaves in the middle of it.
"""
import argparse
import base64
import gzip
import http.client
import json
import pathlib
import random
import socket
import struct
import tempfile
import threading
import time

import serving

GOLDENS = serving.ROOT / "tests/golden/models/saved_models"
MODELS = ("predict", "classify", "regress", "texts")
WARM = 0.2  # part of the time after which the memory is looked at


def predict(client):
    client.expect(200, "POST", "/v1/models/predict:predict", {"inputs": [[0.0, 1.0, 2.0]]})


def classify(client):
    client.expect(200, "POST", "/v1/models/classify:classify", {"examples": [{"x": [0.5, 0.25, -1.5]}]})


def regress(client):
    client.expect(200, "POST", "/v1/models/regress:regress", {"examples": [{"x": [0.5, 0.25, -1.5]}] * 5})


def texts(client):
    client.expect(200, "POST", "/v1/models/texts:predict", {"inputs": [{"b64": base64.b64encode(b"x" * n).decode()}
                                                                     for n in (0, 10, 100000)]})


def about_models(client):
    client.expect(200, "GET", "/v1/models/predict")
    client.expect(200, "GET", "/v1/models/predict/versions/1/metadata")
    client.expect(200, "GET", "/v2/models/predict")
    client.expect(200, "GET", "/readyz")
    client.expect(200, "GET", "/monitoring/prometheus/metrics")


def kserve(client):
    client.expect(200, "POST", "/v2/models/predict/infer", {"inputs": [
        {"name": "rows", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}]})


def packed(client):
    body = gzip.compress(json.dumps({"inputs": [[0.0, 1.0, 2.0]] * 1000}).encode())
    client.expect(200, "POST", "/v1/models/predict:predict", body, {"Content-Encoding": "gzip"})


def nonsense(client):
    """Names, bodies and paths that nobody knows, each time others."""
    unknown = f"m{random.getrandbits(64)}"
    client.expect(404, "POST", f"/v1/models/{unknown}:predict", {"inputs": [1]})
    client.expect(404, "GET", f"/{unknown}")
    client.expect(400, "POST", "/v1/models/predict:predict", b"{" + unknown.encode())
    client.expect(400, "POST", "/v1/models/predict:predict", {"signature_name": unknown, "inputs": [1]})
    client.expect(400, "POST", "/v1/models/predict:predict", {"inputs": {unknown: 1}})
    client.expect(400, "POST", "/v1/models/predict:predict", b"[" * 100000)


def huge(client):
    """Twelve megabytes of JSON there, four back; and more than is allowed."""
    client.expect(200, "POST", "/v1/models/predict:predict",
                  b'{"inputs": [' + b",".join([b"[1.5, 2.5, 3.5]"] * 100_000) + b"]}")
    client.expect(413, "POST", "/v1/models/predict:predict", b" " * (33 << 20))
    client.reconnect()


def leave(client):
    """Connections that end in the middle of a request, of an answer, or before anything is said."""
    for text in (b"", b"POST /v1/models/predict:predict HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{",
                 b"GET /v1/models/predict/metadata HTTP/1.1\r\n\r\n" * 20, b"\x16\x03\x01 no HTTP at all\r\n\r\n"):
        with socket.create_connection(client.rest) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", random.getrandbits(1), 0))
            one.sendall(text)
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    for text in (greeting, greeting + bytes(200), b"GET / HTTP/1.1\r\n\r\n"):
        with socket.create_connection(client.grpc) as one:
            one.sendall(text)


KINDS = (predict, classify, regress, texts, about_models, kserve, packed, nonsense, huge, leave)


class Client(threading.Thread):
    """Asks everything in turn until it is told to stop, and notes what it did not expect."""

    def __init__(self, server):
        super().__init__()
        self.rest, self.grpc = ((address.split(":")[0], int(address.split(":")[1]))
                                for address in (server.rest, server.grpc))
        self.is_over = threading.Event()
        self.counts, self.faults = dict.fromkeys((kind.__name__ for kind in KINDS), 0), []
        self.reconnect()

    def reconnect(self):
        self.connection = http.client.HTTPConnection(*self.rest, timeout=60)

    def expect(self, status, method, path, body=None, headers=None):
        if not isinstance(body, (bytes, type(None))):
            body = json.dumps(body).encode()
        try:
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status != status:
                self.faults.append(f"{method} {path[:60]}: {answer.status} instead of {status}: {text[:200]}")
        except OSError as error:
            if status != 413:  # who sends too much may be cut off before all is sent
                self.faults.append(f"{method} {path[:60]}: {error!r}")
            self.reconnect()

    def run(self):
        while not self.is_over.is_set():
            for kind in KINDS:
                if self.is_over.is_set():
                    break
                kind(self)
                self.counts[kind.__name__] += 1


def serve(folder):
    lines = []
    for name in MODELS:
        serving.publish(GOLDENS / name / "model", folder / name, 1)
    serving.save(folder / "half" / "2", serving.half_plus(2))
    for name in (*MODELS, "half"):
        lines.append(f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}')
    (folder / "models.config").write_text("model_config_list {\n" + "\n".join(lines) + "\n}\n")
    (folder / "monitoring.config").write_text("prometheus_config { enable: true }")
    return serving.Server(folder, f"--model_config_file={folder / 'models.config'}",
                          f"--monitoring_config_file={folder / 'monitoring.config'}", f"--max_request_bytes={32 << 20}")


def soak(folder, seconds):
    """Resident bytes over time, and what went wrong."""
    with serve(folder) as server:
        loads = [serving.start_load(server.grpc, "half", seconds=seconds, versions=True),
                 serving.start_load(server.rest, "half", "rest", seconds=seconds, connections=16, in_flight=1,
                                    versions=True)]
        client = Client(server)
        client.start()
        begin, curve = time.monotonic(), []
        while time.monotonic() < begin + seconds - 1:
            time.sleep(min(5, seconds / 10))
            curve.append((time.monotonic() - begin, server.resident_bytes()))
        reports = [serving.finish_load(load) for load in loads]
        client.is_over.set()
        client.join()
        status = server.stop()
    return {"curve": curve, "reports": reports, "counts": client.counts, "faults": client.faults[:20],
            "fault_count": len(client.faults), "exit_status": status}


def faults(found):
    wrong = [*found["faults"]]
    for report in found["reports"]:
        wrong += [f"{report[what]} {what}: {report['errors']}" for what in ("failed", "older", "wrong") if report[what]]
    if found["exit_status"] != 0:
        wrong.append(f"the server ended with status {found['exit_status']}")
    if not all(found["counts"].values()):
        wrong.append(f"not everything was asked: {found['counts']}")
    return wrong


def growth(curve):
    """The mean of the last quarter against that of the first after the server is warm."""
    sizes = [size for _, size in curve[int(WARM * len(curve)):]]
    quarter = max(1, len(sizes) // 4)
    return (sum(sizes[-quarter:]) / quarter) / (sum(sizes[:quarter]) / quarter) - 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = soak(pathlib.Path(folder), 60 * args.minutes)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))
    for kind, report in zip(("gRPC", "REST"), found["reports"]):
        print(f"{kind}: {report['requests']} requests, {report['rate']:.0f}/s, {report['failed']} failed")
    print("other requests:", found["counts"])
    step = max(1, len(found["curve"]) // 12)
    print("MiB resident:", ", ".join(f"{size / 2**20:.1f} at {when:.0f} s" for when, size in found["curve"][::step]))
    print(f"growth from the first quarter to the last: {growth(found['curve']):+.1%}")
    print(*(faults(found) or ["nothing went wrong"]), sep="\n")


if __name__ == "__main__":
    main()
