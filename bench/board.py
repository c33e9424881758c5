"""The dashboard beside TensorBoard with its fast loader, on the same logs, one after the other.

  python bench/board.py FOLDER [--runs 10000] [--tags 10] [--steps 100] [--points 10000000] [--data_server PROGRAM]

Writes logs into FOLDER (kept for the next time) and prints, for each program, how long it takes until the first chart
can be drawn and until everything is read, and how much memory it then has.
"""
import argparse
import contextlib
import json
import pathlib
import re
import socket
import struct
import subprocess
import time
import urllib.request

import numpy as np

RILL = pathlib.Path(__file__).resolve().parents[1] / "bin" / "rill"
SHOWN = 40  # runs of the first chart


def crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1)
    return table


TABLE = crc_table()


def masked_crc(rows):
    """The checksums of the rows of an array of bytes, as records have them."""
    crc = np.full(len(rows), 0xFFFFFFFF, np.uint32)
    for column in range(rows.shape[1]):
        crc = TABLE[(crc ^ rows[:, column]) & 0xFF] ^ (crc >> 8)
    crc ^= np.uint32(0xFFFFFFFF)
    return ((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)


def as_bytes(numbers, dtype):
    return np.frombuffer(numbers.astype(dtype).tobytes(), np.uint8).reshape(len(numbers), -1)


def scalar_records(tag, steps, first_step):
    """The records of a tag: steps are written in four bytes each, whatever they are."""
    step = np.arange(first_step, first_step + steps, dtype=np.uint64)
    varint = np.stack([(step >> (7 * i) & 0x7F) | (0x80 if i < 3 else 0) for i in range(4)], axis=1).astype(np.uint8)
    name = tag.encode()
    value = bytes([0x0A, len(name)]) + name + b"\x15"
    head = bytes([0x2A, len(value) + 6, 0x0A, len(value) + 4]) + value
    wall = as_bytes(1.7e9 + np.arange(steps) * 0.25, "<f8")
    values = as_bytes(np.exp(-np.arange(steps) / steps * 5) + 0.05 * np.random.RandomState(1).randn(steps), "<f4")
    fixed = lambda text: np.broadcast_to(np.frombuffer(text, np.uint8), (steps, len(text)))
    event = np.concatenate([fixed(b"\x09"), wall, fixed(b"\x10"), varint, fixed(head), values], axis=1)
    length = np.broadcast_to(np.frombuffer(struct.pack("<Q", event.shape[1]), np.uint8), (steps, 8))
    return np.concatenate([length, as_bytes(masked_crc(length), "<u4"), event, as_bytes(masked_crc(event), "<u4")], axis=1)


VERSION = bytes.fromhex("1800000000000000a37f4b2209000000c00b5ad6411a0d627261696e2e4576656e743a324ca9a464")


def write_runs(folder, runs, tags, steps):
    if not folder.exists():
        records = np.stack([scalar_records(f"group{i % 3}/tag{i}", steps, 1 << 21) for i in range(tags)], axis=1)
        content = VERSION + records.tobytes()
        for run in range(runs):
            place = folder / f"run{run:05}"
            place.mkdir(parents=True)
            (place / "events.out.tfevents.1500000000.bench").write_bytes(content)
    return folder


def write_long(folder, points):
    if not folder.exists():
        folder.mkdir(parents=True)
        with open(folder / "events.out.tfevents.1500000000.bench", "wb") as file:
            file.write(VERSION)
            for first in range(0, points, 1 << 20):
                file.write(scalar_records("loss", min(1 << 20, points - first), (1 << 21) + first).tobytes())
    return folder


def write_large(folder, gigabytes):
    """Pictures of 64 MB each whose bytes are holes of the file."""
    if not folder.exists():
        folder.mkdir(parents=True)
        size = 64 << 20
        picture = lambda n: b"\x22" + varint(n)
        with open(folder / "events.out.tfevents.1500000000.bench", "wb") as file:
            file.write(VERSION)
            for step in range(gigabytes * 16):
                image = b"\x08\x01\x10\x01\x18\x03" + picture(size)
                value = b"\x0a\x05image\x22" + varint(len(image) + size) + image
                summary = b"\x0a" + varint(len(value) + size) + value
                event = b"\x09" + struct.pack("<d", 1.7e9 + step) + b"\x10" + varint(step) + b"\x2a" + varint(len(summary) + size) + summary
                length = struct.pack("<Q", len(event) + size)
                crc = masked_crc(np.frombuffer(length, np.uint8)[None])[0]
                file.write(length + struct.pack("<I", crc) + event)
                file.seek(size + 4, 1)
            file.truncate()
    return folder


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


class Ours:
    def __init__(self, logdir):
        self.began = time.monotonic()
        port = free_port()
        self.base = f"http://127.0.0.1:{port}/data/"
        self.process = subprocess.Popen([RILL, "board", "--logdir", logdir, "--port", str(port)], stderr=subprocess.PIPE, text=True)
        self.process.stderr.readline()

    def ask(self, path, data=None):
        body = None if data is None else json.dumps(data).encode()
        with urllib.request.urlopen(urllib.request.Request(self.base + path, body), timeout=120) as answer:
            return answer.read()

    def since(self):
        return time.monotonic() - self.began

    def first_chart(self, runs):
        """What the page does: the runs, the tags, the lines of the first card with all their points."""
        while True:
            names = sorted(run["name"] for run in json.loads(self.ask("rill/overview"))["runs"])[:SHOWN]
            tags = json.loads(self.ask("rill/tags?plugin=scalars"))["tags"]
            if names and tags:
                body = self.ask("rill/chart", {"tag": tags[0]["tag"], "runs": names, "columns": 400, "smoothing": .6})
                size = int.from_bytes(body[:4], "little")
                if len(json.loads(body[4:4 + size])) == min(runs, SHOWN):
                    return self.since()
            time.sleep(0.01)

    def loaded(self):
        while not json.loads(self.ask("rill/overview"))["loaded"]:
            time.sleep(0.02)
        return self.since()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def theirs(program, logdir):
    """How long their loader takes for everything, once, and its memory."""
    process = subprocess.Popen([program, "--logdir", logdir, "--port", "0", "--reload", "once", "--die-after-stdin", "--samples-per-plugin", "scalars=all,images=all", "-vv"],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    began = time.monotonic()
    try:
        for line in process.stderr:
            if "Finished load cycle" in line:
                break
        took = time.monotonic() - began
        return took, memory(process.pid)
    finally:
        process.kill()
        process.wait()


def report(title, logdir, runs, data_server):
    ours = Ours(logdir)
    try:
        first, all_read = ours.first_chart(runs), ours.loaded()
        print(f"{title}: first chart {first:.2f} s, everything {all_read:.2f} s, {memory(ours.process.pid):.0f} MB", flush=True)
    finally:
        ours.stop()
    if data_server:
        with contextlib.suppress(OSError):
            took, megabytes = theirs(data_server, logdir)
            print(f"    TensorBoard's fast loader: everything {took:.2f} s, {megabytes:.0f} MB: {took / all_read:.1f} times as long", flush=True)


def zoom(logdir, points):
    """Parts of a long line, each half as wide as the one before."""
    ours = Ours(logdir)
    try:
        ours.loaded()
        print(f"{points} points: {memory(ours.process.pid):.0f} MB", flush=True)
        low, high = (1 << 21), (1 << 21) + points
        times = []
        for _ in range(12):
            began = time.monotonic()
            ours.ask("rill/chart", {"tag": "loss", "runs": ["."], "columns": 1200, "smoothing": .6, "from": low, "to": high})
            times.append(1000 * (time.monotonic() - began))
            low, high = low + (high - low) / 4, high - (high - low) / 4
        print("    zooming in: " + ", ".join(f"{t:.0f}" for t in times) + " ms", flush=True)
    finally:
        ours.stop()


def large(logdir, gigabytes):
    ours = Ours(logdir)
    try:
        took = ours.loaded()
        count = len(json.loads(ours.ask("plugin/images/images?run=.&tag=image")))
        print(f"{gigabytes} GB of pictures: {count} of them after {took:.2f} s, {memory(ours.process.pid):.0f} MB", flush=True)
    finally:
        ours.stop()


def graph_def(nodes):
    """A forward pass of layers with blocks in them, and a backward pass that reads it: as bytes of a GraphDef."""
    text = lambda number, value: bytes([number << 3 | 2]) + varint(len(value)) + value
    out, names = [], []
    layers, blocks = max(nodes // 1000, 1), 10
    each = nodes // (2 * layers * blocks)
    for part in ("model", "gradients/model"):
        for layer in range(layers):
            for block in range(blocks):
                for i in range(each):
                    name = f"{part}/layer_{layer}/block_{block}/op_{i}"
                    inputs = names[-1:] + (names[-3:-2] if i % 3 == 0 else [])
                    if part != "model":
                        inputs.append(names[len(out) - layers * blocks * each])
                    names.append(name)
                    out.append(text(1, text(1, name.encode()) + text(2, b"MatMul") + b"".join(text(3, one.encode()) for one in inputs)))
    return b"".join(out), len(out)


def graph(logdir, nodes):
    content, count = graph_def(nodes)
    ours = Ours(logdir)
    try:
        request = urllib.request.Request(ours.base + "rill/graph_upload", content)
        began = time.monotonic()
        key = json.loads(urllib.request.urlopen(request, timeout=120).read())["upload"]
        print(f"a graph of {count} nodes: read in {time.monotonic() - began:.2f} s", flush=True)
        for title, wish in (("folded", ""), ("one path open", "&open=model&open=model/layer_0&open=model/layer_0/block_0"), ("everything open", "&all=true")):
            began = time.monotonic()
            drawn = json.loads(ours.ask(f"rill/graph?upload={key}{wish}"))
            print(f"    {title}: {len(drawn['boxes'])} boxes, {len(drawn['lines'])} lines in {time.monotonic() - began:.2f} s", flush=True)
    finally:
        ours.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    for name, value in (("runs", 10000), ("tags", 10), ("steps", 100), ("points", 10_000_000), ("gigabytes", 100), ("nodes", 50_000)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--data_server")
    flags = parser.parse_args()
    runs = write_runs(flags.folder / f"runs{flags.runs}", flags.runs, flags.tags, flags.steps)
    report(f"{flags.runs} runs x {flags.tags} tags x {flags.steps} steps", runs, flags.runs, flags.data_server)
    long = write_long(flags.folder / f"long{flags.points}", flags.points)
    zoom(long, flags.points)
    large(write_large(flags.folder / f"large{flags.gigabytes}", flags.gigabytes), flags.gigabytes)
    graph(long, flags.nodes)


if __name__ == "__main__":
    main()
