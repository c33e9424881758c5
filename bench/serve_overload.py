"""Asks a model for more than the machine can do: how many answers come in time, beside the ideal.

usage: serve_overload.py [--seconds S] [--deadline_ms D] [--times 1,2,3,10] [--protocol h2|rest] [--flag=--max_running_steps=2 ...]

The ideal is what the server answers when it is asked as fast as it answers and no faster. The load generator shares
the machine with the server; so does what it costs to refuse.
"""
import argparse
import json
import pathlib
import tempfile

import serving

SIZE, ROUNDS = 384, 6  # of the products that a step computes


def slow(tf):
    """A few milliseconds of one core; gives x / 2 + 2."""
    x = tf.placeholder(tf.float32, [None], name="x")
    factor = tf.eye(SIZE) * (1 + 0 * tf.reduce_sum(x))  # not known before the step
    product = factor
    for _ in range(ROUNDS):
        product = tf.matmul(product, factor)
    return {"x": x}, {"y": x * 0.5 + 2.0 * product[0, 0]}


def measure(folder, seconds, deadline_ms, times, protocol="h2", flags=()):
    """Answers in time in a second: the ideal, and at each of these multiples of it; and the server's own counts."""
    serving.save(folder / "slow" / "1", slow)
    (folder / "monitoring.config").write_text("prometheus_config { enable: true }")
    ask = {"seconds": seconds, "deadline_ms": deadline_ms}
    with serving.Server(folder, "--model_name=slow", f"--model_base_path={folder / 'slow'}",
                        f"--monitoring_config_file={folder / 'monitoring.config'}",
                        "--tensorflow_intra_op_parallelism=1", *flags) as server:
        address = server.rest if protocol == "rest" else server.grpc
        serving.load(address, "slow", protocol, seconds=1, connections=4, in_flight=1)
        ideal = serving.load(address, "slow", protocol, connections=4, in_flight=1, **ask)
        rate = ideal["in_time"] / seconds
        reports = {}
        for factor in times:
            report = serving.load(address, "slow", protocol, connections=16, in_flight=64, rate=rate * factor, **ask)
            report["in_time_rate"] = report["in_time"] / seconds
            reports[factor] = report
        status = server.stop()
    return {"ideal": rate, "ideal_p99_us": ideal["p99_us"], "reports": reports, "exit_status": status}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--deadline_ms", type=int, default=250)
    parser.add_argument("--times", default="1,2,3,10")
    parser.add_argument("--protocol", default="h2")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(pathlib.Path(folder), args.seconds, args.deadline_ms, [float(n) for n in args.times.split(",")],
                        args.protocol, args.flag)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))
    print(f"ideal: {found['ideal']:.0f} answers in time a second, p99 {found['ideal_p99_us'] / 1000:.0f} ms")
    for factor, report in found["reports"].items():
        print(f"{factor:g} times: {report['in_time_rate']:.0f} ({report['in_time_rate'] / found['ideal']:.0%}), "
              f"{report['failed']} refused or late of {report['requests']}, p99 {report['p99_us'] / 1000:.0f} ms")


if __name__ == "__main__":
    main()
