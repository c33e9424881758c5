"""Reads a gigabyte of records from an object store on this machine, and the same with curl.

    PYTHONPATH=python:python/compat .venv/bin/python bench/store_speed.py [MEGABYTES]

The store is the tests' own, in a process of its own; it lets anybody read, so that curl needs no signature.
"""
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/python"))

RECORD = os.urandom(1 << 16)


def serve(megabytes, port):
    import s3_server

    import rill as tf
    store = s3_server.Store("bucket")
    store.is_public = True
    with tf.python_io.TFRecordWriter("ram://records") as writer:
        for _ in range(megabytes * 16):
            writer.write(RECORD)
    store.put("bucket", "records", tf.gfile.GFile("ram://records", "rb").read())
    port.put(store.server.server_port)
    time.sleep(3600)


def read_records(path):
    import rill as tf
    dataset = tf.data.TFRecordDataset(path).map(tf.strings.length).batch(1000)
    batch = tf.data.make_one_shot_iterator(dataset).get_next()
    count = 0
    with tf.Session() as session:
        try:
            while True:
                count += len(session.run(batch))
        except tf.errors.OutOfRangeError:
            return count


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    ports = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(megabytes, ports), daemon=True)
    server.start()
    port = ports.get()
    os.environ.update(S3_ENDPOINT=f"127.0.0.1:{port}", S3_USE_HTTPS="0", AWS_EC2_METADATA_DISABLED="true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        os.environ.pop(name, None)
    best = {"curl": 1e9, "rill": 1e9}
    for _ in range(3):
        begin = time.monotonic()
        subprocess.run(["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/bucket/records", "-H",
                        "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
                       check=True)
        best["curl"] = min(best["curl"], time.monotonic() - begin)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin = time.monotonic()
        count = read_records("s3://bucket/records")
        best["rill"] = min(best["rill"], time.monotonic() - begin)
        assert count == megabytes * 16, count
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, seconds in best.items():
        print(f"{name}  {seconds:.2f} s  {megabytes / seconds:.0f} MB/s")
    print(f"rill / curl  {best['curl'] / best['rill']:.2f}; memory {after / 1024:.0f} MB, "
          f"{(after - before) / 1024:.0f} MB more than before the last run")
    server.kill()


if __name__ == "__main__":
    main()
