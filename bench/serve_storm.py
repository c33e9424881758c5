"""Everything at once against one server: reloads, attacks, overload, clients that leave, kill -9 and new starts.

usage: serve_storm.py [--minutes M] [--json FILE]

Bystanders ask all the while. Nobody may get a wrong answer; while the server runs bystanders are answered, and its
memory stays near what it was; after a kill it is there again.
"""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import socket
import statistics
import struct
import subprocess
import tempfile
import threading
import time

import serve_attacks
import serve_overload
import serving

BETWEEN_KILLS = 15.0  # seconds
BETWEEN_VERSIONS = 2.0
MOST_GROWTH = 150 << 20  # bytes beyond what a server has that is asked in order


ATTACKS = tuple(serve_attacks.FLOODS.values())


class Actor(threading.Thread):
    """Does something again and again until all is over."""

    def __init__(self, storm):
        super().__init__(daemon=True)
        self.storm, self.count = storm, 0

    def run(self):
        while not self.storm.over.is_set():
            try:
                self.act()
                self.count += 1
            except OSError:  # the server is not there, or has ended the connection
                time.sleep(0.05)


class Attacker(Actor):
    """Sends frames that no client sends, as many as the server takes, on one connection after the other."""

    def act(self):
        attack = ATTACKS[self.count % len(ATTACKS)]
        with socket.create_connection(self.storm.address("grpc"), 2) as one:
            one.sendall(serve_attacks.PREFACE + serve_attacks.frame(4, 0, 0))
            end = time.monotonic() + 1
            for start in range(0, 200_000, 500):
                if self.storm.over.is_set() or time.monotonic() > end:
                    break
                try:
                    one.sendall(b"".join(attack(i) for i in range(start, start + 500)))
                except OSError:
                    break  # as it should be
        time.sleep(0.05)


class Dawdler(Actor):
    """Keeps connections of HTTP open with half of a request, and sends what is no HTTP."""

    def act(self):
        ones = [socket.create_connection(self.storm.address("rest"), 2) for _ in range(20)]
        for one in ones[1:]:
            one.sendall(b"POST /v1/models/half:predict HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n{")
        ones[0].sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        self.storm.over.wait(1)
        for one in ones:
            one.close()


class Leaver(Actor):
    """Asks for much and leaves before it is answered."""

    def act(self):
        body = b'{"instances": [1.0]}'
        with socket.create_connection(self.storm.address("rest"), 2) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", random.getrandbits(1), 0))
            one.sendall(b"POST /v1/models/slow:predict HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            time.sleep(random.random() / 50)


class Publisher(Actor):
    """Lets versions of a model come, some of them broken, and old ones go."""

    def act(self):
        version = self.storm.newest + 1
        source = self.storm.folder / "source" / str(version % 2)
        serving.publish(source, self.storm.folder / "half", version)
        if version % 5 == 0:
            (self.storm.folder / "half" / str(version) / "saved_model.pb").write_bytes(b"\xff no model")
        self.storm.newest = version
        shutil.rmtree(self.storm.folder / "half" / str(version - 4), ignore_errors=True)
        self.storm.over.wait(BETWEEN_VERSIONS)


class Bystander(Actor):
    """Asks a small model in order, and knows what is right."""

    def __init__(self, storm):
        super().__init__(storm)
        self.wrong, self.refused, self.lost, self.taken = [], 0, [], []

    def act(self):
        number, began = random.randrange(1000), time.monotonic()
        try:
            connection = http.client.HTTPConnection(*self.storm.address("rest"), timeout=5)
            connection.request("POST", "/v1/models/half:predict", json.dumps({"instances": [number]}))
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            if not self.storm.was_away(began):
                self.lost.append(repr(error))
            time.sleep(0.05)
            return
        if answer.status == 503:
            self.refused += 1
        elif answer.status != 200 or json.loads(text)["predictions"] != [number / 2 + 2]:
            self.wrong.append(f"{number}: {answer.status} {text[:200]}")
        else:
            self.taken.append(time.monotonic() - began)
        time.sleep(0.01)


class Storm:
    def __init__(self, folder, seconds):
        self.folder, self.seconds, self.over, self.newest = folder, seconds, threading.Event(), 1
        self.ports = {"grpc": serving.free_port(), "rest": serving.free_port()}
        self.away = []  # when the server was killed, and when it was ready again
        for number in (0, 1):
            serving.save(folder / "source" / str(number), serving.half_plus(2))
        serving.publish(folder / "source" / "1", folder / "half", 1)
        serving.save(folder / "slow" / "1", serve_overload.slow)
        models = "".join(f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}\n'
                         for name in ("half", "slow"))
        (folder / "models.config").write_text("model_config_list {\n" + models + "}\n")
        (folder / "options.config").write_text('model { name: "half" priority: 1 }\n')
        self.log = open(folder / "server.log", "w")

    def address(self, kind):
        return "127.0.0.1", self.ports[kind]

    def was_away(self, began):
        return any(killed - 5.5 < began < back + 0.5 for killed, back in self.away)

    def start(self):
        self.process = subprocess.Popen(
            [serving.COMMAND, "serve", f"--port={self.ports['grpc']}", f"--rest_api_port={self.ports['rest']}",
             f"--model_config_file={self.folder / 'models.config'}", "--max_num_load_retries=0",
             f"--serving_options_file={self.folder / 'options.config'}"], stderr=self.log)
        while self.status("/readyz") != 200:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with status {self.process.returncode}")
            time.sleep(0.02)

    def status(self, path):
        try:
            connection = http.client.HTTPConnection(*self.address("rest"), timeout=5)
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0

    def kill(self):
        self.away.append((time.monotonic(), float("inf")))
        self.process.kill()
        self.process.wait()
        self.start()
        self.away[-1] = (self.away[-1][0], time.monotonic())

    def resident_bytes(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(text.split("VmRSS:")[1].split()[0])

    def start_overload(self):
        """Three times what the slow model can, about, by a process of its own until it is told otherwise."""
        return serving.start_load(f"127.0.0.1:{self.ports['grpc']}", "slow", "h2", seconds=self.seconds * 2, rate=1000,
                                  connections=8, in_flight=64, deadline_ms=500)

    def run(self):
        self.start()
        bystanders = [Bystander(self) for _ in range(2)]
        others = [Attacker(self), Dawdler(self), Leaver(self), Publisher(self)]
        for actor in bystanders:
            actor.start()
        time.sleep(1)
        quiet = self.resident_bytes()
        before = [sorted(one.taken) for one in bystanders]
        for actor in others:
            actor.start()
        load, curve, killed, begin = None, [], time.monotonic(), time.monotonic()
        while time.monotonic() < begin + self.seconds:
            if load is None or load.poll() is not None:
                load = self.start_overload()  # it does not outlive every kill
            time.sleep(0.5)
            curve.append(self.resident_bytes())
            if time.monotonic() > killed + BETWEEN_KILLS:
                self.kill()
                killed = time.monotonic()
        self.over.set()
        load.kill()
        load.communicate()
        for actor in (*bystanders, *others):
            actor.join(10)
        time.sleep(1)
        live = self.status("/livez")
        self.process.terminate()
        exit_status = self.process.wait(60)
        taken = sorted(time for one in bystanders for time in one.taken)
        return {"answered": len(taken), "refused": sum(one.refused for one in bystanders),
                "wrong": [text for one in bystanders for text in one.wrong][:20],
                "lost": [text for one in bystanders for text in one.lost][:20],
                "p50_ms": 1000 * statistics.median(taken), "p99_ms": 1000 * taken[int(0.99 * len(taken))],
                "quiet_p50_ms": 1000 * statistics.median(before[0]), "kills": len(self.away),
                "away_s": [back - gone for gone, back in self.away], "quiet_bytes": quiet, "curve": curve,
                "acts": {type(one).__name__: one.count for one in others}, "versions": self.newest, "live": live,
                "exit_status": exit_status}


def faults(found):
    wrong = [*found["wrong"], *(f"a bystander was not served: {text}" for text in found["lost"])]
    if found["live"] != 200 or found["exit_status"] != 0:
        wrong.append(f"at the end /livez was {found['live']}, the exit status {found['exit_status']}")
    if max(found["curve"]) - found["quiet_bytes"] > MOST_GROWTH:
        wrong.append(f"{max(found['curve']) >> 20} MB were resident, {found['quiet_bytes'] >> 20} before")
    if found["answered"] < 10 * found["refused"]:
        wrong.append(f"bystanders: {found['answered']} answered, {found['refused']} refused")
    if not all(found["acts"].values()) or not found["kills"]:
        wrong.append(f"not everything happened: {found['acts']}, {found['kills']} kills")
    return wrong


def storm(folder, seconds):
    return Storm(folder, seconds).run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = storm(pathlib.Path(folder), 60 * args.minutes)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))
    print(f"bystanders: {found['answered']} answered, {found['refused']} refused, {len(found['lost'])} lost, "
          f"{len(found['wrong'])} wrong; p50 {found['p50_ms']:.1f} ms, p99 {found['p99_ms']:.1f} ms "
          f"(p50 before it began {found['quiet_p50_ms']:.1f} ms)")
    print(f"{found['kills']} kills, back after {max(found['away_s'], default=0):.2f} s at most; {found['versions']} versions; "
          f"others: {found['acts']}")
    step = max(1, len(found["curve"]) // 20)
    print(f"MiB resident: {found['quiet_bytes'] / 2**20:.0f} before,", ", ".join(
        f"{size / 2**20:.0f}" for size in found["curve"][::step]), f"at most {max(found['curve']) / 2**20:.0f}")
    print(*(faults(found) or ["nothing went wrong"]), sep="\n")


if __name__ == "__main__":
    main()
