"""Measures reading and writing of files on request; speaks as op_worker.py does.

usage: file_worker.py rill|tensorflow|files THREADS FOLDER MEBIBYTES

"files" moves the same bytes without any format.
"""
import functools
import os
import sys
import time

import numpy as np

FRAMEWORK, THREADS, FOLDER, MEBIBYTES = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
TENSORS = 32  # in the model
PIECE = 1 << 20
RECORDS = {"small": (200, 100_000), "large": (100_000, 1000), "packed": (1000, 5000)}  # size, count
EVENTS = 5000

if FRAMEWORK == "tensorflow":
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
elif FRAMEWORK == "rill":
    import tensorflow as tf


def path_of(name):
    return os.path.join(FOLDER, f"{FRAMEWORK}_{name}")


def timed(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


# The file system itself.

@functools.cache
def room(size):
    """Bytes to write or to read into, all of which have been touched before."""
    return np.ones(size, np.uint8)


def write_plainly(name, size):
    source = room(size)
    with open(path_of(name), "wb", buffering=0) as file:
        for done in range(0, size, PIECE):
            file.write(memoryview(source)[done:min(done + PIECE, size)])


def read_plainly(name, size):
    into = room(size)
    with open(path_of(name), "rb", buffering=0) as file:
        for begin in range(0, size, PIECE):
            file.readinto(memoryview(into)[begin:begin + PIECE])


# Models.

class Model:
    """Variables of the wanted size, their saver and a session that holds them."""

    def __init__(self):
        self.rows = MEBIBYTES * 256 // TENSORS
        with tf.Graph().as_default():
            for i in range(TENSORS):
                tf.get_variable(f"v{i}", [self.rows, 1024], initializer=tf.random_uniform_initializer(i, i + 1))
            self.saver = tf.train.Saver()
            self.session = tf.Session(config=tf.ConfigProto(
                intra_op_parallelism_threads=THREADS, inter_op_parallelism_threads=THREADS))
            self.session.run(tf.global_variables_initializer())
        self.save()

    def save(self):
        self.saver.save(self.session, path_of("model"), write_meta_graph=False)

    def restore(self):
        self.saver.restore(self.session, path_of("model"))


the_model = functools.cache(Model)


def save():
    if FRAMEWORK == "files":
        return timed(lambda: write_plainly("model", MEBIBYTES << 20))
    return timed(the_model().save)


def restore():
    if FRAMEWORK == "files":
        if not os.path.exists(path_of("model")):
            save()
        return timed(lambda: read_plainly("model", MEBIBYTES << 20))
    return timed(the_model().restore)


# Records.

def options(compression):
    if not compression:
        return None
    return tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)


@functools.cache
def all_records(size, count):
    """Different ones, which take half of their length when they are packed."""
    rows = np.random.default_rng(size).integers(0, 16, [count, size], np.uint8)
    return [row.tobytes() for row in rows]


def write_records(kind, compression=""):
    size, count = RECORDS[kind]
    name = f"records_{kind}{compression}"
    if FRAMEWORK == "files":
        return timed(lambda: write_plainly(name, (size + 16) * count))
    records = all_records(size, count)

    def write():
        with tf.python_io.TFRecordWriter(path_of(name), options(compression)) as writer:
            for record in records:
                writer.write(record)

    return timed(write)


def read_records(kind, compression=""):
    size, count = RECORDS[kind]
    name = f"records_{kind}{compression}"
    if not os.path.exists(path_of(name)):
        write_records(kind, compression)
    if FRAMEWORK == "files":
        return timed(lambda: read_plainly(name, (size + 16) * count))

    def read():
        found = 0
        for record in tf.python_io.tf_record_iterator(path_of(name), options(compression)):
            found += len(record)
        assert found == size * count

    return timed(read)


def write_small_records():
    return write_records("small")


def read_small_records():
    return read_records("small")


def write_large_records():
    return write_records("large")


def read_large_records():
    return read_records("large")


def write_gzip_records():
    return write_records("packed", "gzip")


def read_gzip_records():
    return read_records("packed", "gzip")


# Events.

def write_events():
    if FRAMEWORK == "files":
        return timed(lambda: write_plainly("events", EVENTS * 60))
    summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])

    def write():
        writer = tf.summary.FileWriter(path_of("events"))
        for step in range(EVENTS):
            writer.add_summary(summary, step)
        writer.close()

    return timed(write)


CASES = {f.__name__: f for f in (
    save, restore, write_small_records, read_small_records, write_large_records, read_large_records,
    write_gzip_records, read_gzip_records, write_events)}


def answer(request):
    try:
        return CASES[request]()
    except Exception as error:  # whatever a framework raises for what it lacks
        return f"nan {type(error).__name__}: {error}".splitlines()[0]


def main():
    for line in sys.stdin:
        print(answer(line.strip()), flush=True)


if __name__ == "__main__":
    main()
