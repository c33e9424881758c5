"""Reload under fire: versions come and go, some of them broken, while clients ask.

usage: serve_reload.py [--seconds S] [--connections N] [--json FILE]

Nobody may be refused, get an older version than one that has answered, or a wrong answer. At a rate of 30 % of what the
server can, latencies must stay near those of quiet times, and the memory must come back.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import tempfile
import threading
import time

import serving

PART = 0.3  # of its capacity that a server is given to answer in open loops
SETTLED = 3  # seconds until unloading is done for sure
TURNS = 10  # of quiet times and of versions that come


def break_nothing(_):
    pass


def truncate(folder):
    path = folder / "saved_model.pb"
    path.write_bytes(path.read_bytes()[:-40])


def drop_variables(folder):
    shutil.rmtree(folder / "variables")


def scramble(folder):
    (folder / "saved_model.pb").write_bytes(b"\xff no model \x00" * 20)


def empty(folder):
    (folder / "saved_model.pb").unlink()


BREAKS = (truncate, drop_variables, scramble, empty)


def make_versions(folder, count, break_every):
    """Versions 1 to count; every so many is broken, each time otherwise. Returns those that are good."""
    good = []
    for version in range(1, count + 1):
        serving.save(folder / str(version), serving.half_plus(version))
        is_broken = version % break_every == 0
        (BREAKS[version // break_every % len(BREAKS)] if is_broken else break_nothing)(folder / str(version))
        if not is_broken:
            good.append(version)
    return good


class Publisher(threading.Thread):
    """Lets one version after the other appear, and deletes all that came before it."""

    def __init__(self, made, served, versions, period):
        super().__init__()
        self.made, self.served, self.versions, self.period = made, served, versions, period
        self.error = None

    def run(self):
        try:
            for version in self.versions:
                time.sleep(self.period)
                serving.publish_now(self.made / str(version), self.served, version)
                for older in self.served.iterdir():
                    if int(older.name) < version:
                        shutil.rmtree(older)
        except Exception as error:
            self.error = error


def ask(server, seconds, connections, rates=(None, None)):
    """Half of the connections over gRPC, half over REST; as fast as they can, or at these rates."""
    loads = [serving.start_load(address, "m", kind, seconds=seconds, connections=connections // 2, in_flight=1,
                                versions=True, **({"rate": rate} if rate else {}))
             for (kind, address), rate in zip((("grpc", server.grpc), ("rest", server.rest)), rates)]
    return dict(zip(("grpc", "rest"), map(serving.finish_load, loads)))


def ask_while_versions_come(server, folder, versions, period, connections, rates=(None, None)):
    publisher = Publisher(folder / "made", folder / "m", versions, period)
    publisher.start()
    reports = ask(server, period * (len(versions) + 1), connections, rates)
    publisher.join()
    if publisher.error:
        raise publisher.error
    return reports


def start(folder, count, break_every):
    """A server of version 1 of what will be `count` versions."""
    (folder / "m").mkdir()
    good = make_versions(folder / "made", count, break_every)
    serving.publish_now(folder / "made/1", folder / "m", 1)
    return serving.Server(folder, "--model_name=m", f"--model_base_path={folder / 'm'}"), good


def under_full_load(folder, seconds, connections, period=1.0, break_every=5):
    """Reports of clients that ask as fast as they can while versions come."""
    folder.mkdir(exist_ok=True)
    count = max(3, round(seconds / period))
    count += count % break_every == 0  # the last is a good one
    server, good = start(folder, count, break_every)
    with server:
        reports = ask_while_versions_come(server, folder, range(2, count + 1), period, connections)
        time.sleep(period + 1)
        found = {"reports": reports, "good": good, "states": server.states("m"), "exit_status": server.stop()}
    return found


def faults(found):
    """What may not happen while versions come: a list of texts."""
    wrong = []
    for kind, report in found["reports"].items():
        wrong += [f"{kind}: {report[what]} {what}: {report['errors']}" for what in ("failed", "older", "wrong")
                  if report[what]]
        strange = set(map(int, report["versions"])) - set(found["good"])
        if strange:
            wrong.append(f"{kind}: broken versions answered: {strange}")
        if len(report["versions"]) < 2:
            wrong.append(f"{kind}: no new version was seen")
    last = found["good"][-1]
    if found["states"].get(last) != "AVAILABLE":
        wrong.append(f"the last version is not served: {found['states']}")
    if [version for version, state in found["states"].items() if state == "AVAILABLE"] != [last]:
        wrong.append(f"other versions are served: {found['states']}")
    if found["exit_status"] != 0:
        wrong.append(f"the server ended with status {found['exit_status']}")
    return wrong


def at_a_steady_rate(folder, seconds, connections, period=1.0, break_every=5):
    """Latencies and memory, quiet and while versions come, in turns: the machine itself has better and worse moments."""
    folder.mkdir(exist_ok=True)
    first = break_every + 2  # what is loaded, refused and unloaded once has touched all the memory that this takes
    count = first + round(seconds / period)
    server, _ = start(folder, count, break_every)
    with server:
        most = ask_while_versions_come(server, folder, range(2, first), period, connections)
        rates = [report["rate"] * PART for report in most.values()]
        time.sleep(SETTLED)
        before = server.resident_bytes()
        quiet, fire = [], []
        share = max(1, round(seconds / period / TURNS))
        for begin in range(first, count + 1, share):
            versions = range(begin, min(begin + share, count + 1))
            quiet.append(ask(server, period * len(versions), connections, rates))
            fire.append(ask_while_versions_come(server, folder, versions, period, connections, rates))
        time.sleep(SETTLED)
        after = server.resident_bytes()
        server.stop()
    return {"rates": rates, "quiet": quiet, "fire": fire, "bytes_before": before, "bytes_after": after}


def show_steady(found):
    good = True
    for kind in ("grpc", "rest"):
        quiet, fire = (statistics.median(turn[kind]["p99_us"] for turn in found[when]) / 1e3 for when in ("quiet", "fire"))
        limit = max(1.5 * quiet, quiet + 3)
        failed = sum(turn[kind][what] for turn in found["fire"] for what in ("failed", "older", "wrong"))
        good &= fire <= limit and failed == 0
        print(f"{kind}: p99 {quiet:.2f} ms quiet, {fire:.2f} ms under fire (at most {limit:.2f}), {failed} failed: "
              f"{'holds' if fire <= limit and failed == 0 else 'MISSED'}")
    growth = found["bytes_after"] / found["bytes_before"] - 1
    good &= growth <= 0.05
    print(f"memory: {found['bytes_before'] / 2**20:.1f} MiB before, {found['bytes_after'] / 2**20:.1f} MiB after "
          f"({growth:+.1%}): {'holds' if growth <= 0.05 else 'MISSED'}")
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        full = under_full_load(pathlib.Path(folder) / "full", args.seconds, args.connections)
        steady = at_a_steady_rate(pathlib.Path(folder) / "steady", args.seconds, args.connections)
    for kind, report in full["reports"].items():
        print(f"{kind}, full load: {report['requests']} requests ({report['rate']:.0f}/s), "
              f"{len(report['versions'])} versions answered, {report['failed']} failed, "
              f"p99 {report['p99_us'] / 1e3:.1f} ms")
    wrong = faults(full)
    print(*(wrong or ["nothing failed"]), sep="\n")
    good = show_steady(steady)
    if args.json:
        args.json.write_text(json.dumps({"full": full, "steady": steady}, indent=1))
    raise SystemExit(0 if good and not wrong else 1)


if __name__ == "__main__":
    main()
