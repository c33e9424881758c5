"""What loading and unloading a large model does to those who ask a small one.

usage: serve_large.py [--mebibytes N] [--times N]

The 99th percentile of latencies at 30 % of what the server can should stay within 1.1 times that of quiet times, and
the memory should come back within 5 % when the large model is unloaded.
"""
import argparse
import os
import pathlib
import tempfile
import time

import serving

PART = 0.3


def await_state(server, model, version, state="AVAILABLE"):
    begin = time.monotonic()
    while server.states(model).get(version) != state:
        if time.monotonic() - begin > 60:
            raise RuntimeError(f"version {version} of {model}: {server.states(model)}\n{server.log()}")
        time.sleep(0.01)
    return time.monotonic() - begin


def serve_two(folder):
    """A server of a small model, and of one that is small now."""
    serving.save(folder / "small", serving.half_plus(1))
    for name in ("small_model", "large_model"):
        serving.publish(folder / "small", folder / name, 1)
    config = folder / "models.config"
    config.write_text("model_config_list {\n" + "".join(
        f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}\n'
        for name in ("small_model", "large_model")) + "}\n")
    return serving.Server(folder, f"--model_config_file={config}")


def load_and_unload(server, folder, times):
    """Seconds that each loading took; the large version goes away when it was there for a moment."""
    taken, version = [], 1
    for _ in range(times):
        serving.publish(folder / "large", folder / "large_model", version + 1, os.link)
        taken.append(await_state(server, "large_model", version + 1))
        serving.publish(folder / "small", folder / "large_model", version + 2)
        await_state(server, "large_model", version + 1, "END")
        version += 2
    return taken


def measure(folder, mebibytes, times, connections=8):
    serving.save(folder / "large", serving.large(mebibytes))
    with serve_two(folder) as server:
        ask = {"connections": connections, "in_flight": 4}
        rate = serving.load(server.grpc, "small_model", seconds=2, **ask)["rate"] * PART
        load_and_unload(server, folder, 1)
        time.sleep(2)
        before = server.resident_bytes()
        seconds = 2.0 * times
        quiet = serving.load(server.grpc, "small_model", seconds=seconds, rate=rate, **ask)
        running = serving.start_load(server.grpc, "small_model", seconds=seconds, rate=rate, **ask)
        begin = time.monotonic()
        taken, most = [], 0
        version = 3
        while time.monotonic() < begin + seconds - 1:
            serving.publish(folder / "large", folder / "large_model", version + 1, os.link)
            taken.append(await_state(server, "large_model", version + 1))
            most = max(most, server.resident_bytes())
            version += 1
        loading = serving.finish_load(running)
        serving.publish(folder / "small", folder / "large_model", version + 1)
        await_state(server, "large_model", version, "END")
        time.sleep(2)
        after = server.resident_bytes()
        server.stop()
    return {"rate": rate, "quiet": quiet, "loading": loading, "load_seconds": taken, "bytes_before": before,
            "bytes_most": most, "bytes_after": after}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mebibytes", type=int, default=300)
    parser.add_argument("--times", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(pathlib.Path(folder), args.mebibytes, args.times)
    quiet, loading = (found[when]["p99_us"] / 1e3 for when in ("quiet", "loading"))
    taken = ", ".join(f"{seconds:.2f}" for seconds in found["load_seconds"])
    print(f"{args.mebibytes} MiB loaded in {taken} s while {found['rate']:.0f} requests/s were answered, "
          f"{found['loading']['failed']} failed")
    print(f"p50 {found['quiet']['p50_us'] / 1e3:.2f} ms quiet, {found['loading']['p50_us'] / 1e3:.2f} ms while loading")
    print(f"p99 {quiet:.2f} ms quiet, {loading:.2f} ms while loading ({loading / quiet:.2f}, at most 1.10): "
          f"{'holds' if loading <= 1.1 * quiet else 'MISSED'}")
    growth = found["bytes_after"] / found["bytes_before"] - 1
    print(f"memory: {found['bytes_before'] / 2**20:.0f} MiB before, {found['bytes_most'] / 2**20:.0f} at most, "
          f"{found['bytes_after'] / 2**20:.0f} after ({growth:+.1%}): {'holds' if growth <= 0.05 else 'MISSED'}")


if __name__ == "__main__":
    main()
