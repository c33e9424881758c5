"""What a step over parameter servers costs real processes of this machine, beside what bench/cluster_model.h says.

The costs of a message and of a byte are taken from a worker with one and with two servers; the same costs then have to tell
the steps of other shapes. Processor time is compared too: it is less disturbed by what else the machine does.

    .venv/bin/python bench/cluster_measure.py [--seconds 4]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "python"))
CURVE = os.path.join(ROOT, "build", "release", "bin", "rill_cluster_curve")
TICK = os.sysconf("SC_CLK_TCK")
SMALL, LARGE = 4_000, 8_000_000  # bytes of a model


def ends(servers):
    """Messages of a step, counted at both ends: messages_of_step of bench/cluster_model.h."""
    return 2 * (6 if servers == 1 else 8 * servers)


def worker_program(task):
    import rill as tf

    cluster = tf.train.ClusterSpec(task["cluster"])
    server = tf.train.Server(cluster, job_name="worker", task_index=task["index"])
    here = f"/job:worker/task:{task['index']}"
    updates = []
    for i, _ in enumerate(task["cluster"]["ps"]):
        with tf.device(f"/job:ps/task:{i}"):
            size = task["bytes"] // 4 // len(task["cluster"]["ps"])
            v = tf.get_variable(f"v{i}", [size], initializer=tf.zeros_initializer(), use_resource=True)
        with tf.device(here):
            gradient = v.read_value() * 0.5
        with tf.device(f"/job:ps/task:{i}"):
            updates.append(v.assign_sub(gradient, read_value=False))
    train = tf.group(*updates)
    config = tf.ConfigProto(device_filters=["/job:ps", here])
    with tf.Session(server.target, config=config) as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(train)
        step = sess.make_callable(train)
        print("ready", flush=True)
        sys.stdin.readline()
        count, end = 0, time.monotonic() + task["seconds"]
        while time.monotonic() < end:
            step()
            count += 1
        print(count, flush=True)
        sys.stdin.readline()


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measure(workers, servers, size, seconds):
    """Steps a second, and the seconds of processor that workers and servers take for one."""
    from cluster_training import free_ports

    ports = free_ports(workers + servers)
    cluster = {"ps": [f"localhost:{p}" for p in ports[:servers]], "worker": [f"localhost:{p}" for p in ports[servers:]]}
    spec = ",".join(f"{job}|{';'.join(hosts)}" for job, hosts in cluster.items())
    rill = os.path.join(ROOT, "bin", "rill")
    ps, works = [], []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for i in range(servers):
                ps.append(subprocess.Popen([rill, "server", "--cluster", spec, "--job", "ps", "--task", str(i)],
                                           stdout=subprocess.DEVNULL, cwd=folder))
            for i in range(workers):
                task = {"cluster": cluster, "index": i, "bytes": size, "seconds": seconds}
                works.append(subprocess.Popen([rill, "run", os.path.abspath(__file__)], text=True, stdin=subprocess.PIPE,
                                              stdout=subprocess.PIPE, env=dict(os.environ, BENCH_TASK=json.dumps(task))))
            for work in works:
                assert work.stdout.readline() == "ready\n"
            before = [processor_seconds(p.pid) for p in works + ps]
            for work in works:
                work.stdin.write("go\n")
                work.stdin.flush()
            steps = sum(int(work.stdout.readline()) for work in works)
            used = [processor_seconds(p.pid) - b for p, b in zip(works + ps, before)]
        finally:
            for process in works + ps:
                process.kill()
                process.wait()
    return steps / seconds, sum(used[:workers]) / steps, sum(used[workers:]) / steps


def model(costs, **shape):
    words = [f"{name}={value}" for name, value in {**costs, **shape}.items()]
    out = subprocess.run([CURVE, "check", *words], check=True, capture_output=True, text=True).stdout
    return [float(n) for n in re.findall(r"[\d.]+", out)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=4)
    seconds = parser.parse_args().seconds
    one, two = measure(1, 1, SMALL, seconds), measure(1, 2, SMALL, seconds)
    large = measure(1, 1, LARGE, seconds)
    message = (sum(two[1:]) - sum(one[1:])) / (ends(2) - ends(1))
    byte = max(0, (large[1] - one[1]) / (2 * (LARGE - SMALL)))
    apply = max(0, (large[2] - one[2]) / (LARGE - SMALL) - 2 * byte)
    costs = {"message_micros": message * 1e6, "byte_nanos": byte * 1e9, "apply_byte_nanos": apply * 1e9,
             "step_micros": max(0, sum(one[1:]) - ends(1) * message) * 1e6, "cores": os.cpu_count()}
    # What a step takes beyond its processor time is latency: of wake-ups, here.
    idle = 1 / one[0] - model(costs, workers=1, servers=1, bytes=SMALL)[1] / 1e3
    costs["latency_micros"] = max(0, idle * 1e6 / 4)  # a step is four messages long
    print({name: round(value, 3) for name, value in costs.items()})
    print("| workers | ps | bytes | steps/s, measured | modelled | processor ms a step, measured | modelled |")
    for workers, servers, size in [(1, 1, SMALL), (1, 2, SMALL), (2, 1, SMALL), (2, 2, SMALL), (4, 2, SMALL), (1, 1, LARGE),
                                   (2, 1, LARGE), (2, 2, LARGE), (4, 2, LARGE)]:
        rate, work, serve = measure(workers, servers, size, seconds)
        told = model(costs, workers=workers, servers=servers, bytes=size)
        cpu = (costs["step_micros"] + ends(servers) * costs["message_micros"]) / 1e3 \
            + size * (4 * costs["byte_nanos"] + costs["apply_byte_nanos"]) / 1e6
        print(f"| {workers} | {servers} | {size} | {rate:.0f} | {told[0]:.0f} | {1e3 * (work + serve):.2f} | {cpu:.2f} |", flush=True)


if __name__ == "__main__":
    if "BENCH_TASK" in os.environ:
        worker_program(json.loads(os.environ["BENCH_TASK"]))
    else:
        main()
