"""Reading and writing of files: groups checkpoints and files.

The yardstick "files" moves the same bytes without any format.
"""
import functools
import os

import numpy as np

from workloads import Setting, Workload

MEBIBYTES, TENSORS = 256, 32  # of the model
ROWS = MEBIBYTES * 256 // TENSORS
PIECE = 1 << 20
RECORDS = {"small": (200, 100_000), "large": (100_000, 1000), "packed": (1000, 5000)}  # size, count
EVENTS, EVENT_BYTES = 5000, 60


def path_of(setting, name):
    return os.path.join(setting.folder, f"{setting.framework}_{name}")


# The file system itself.

@functools.cache
def room(size):
    """Bytes to write or to read into, all of which have been touched before."""
    return np.ones(size, np.uint8)


def plain_write(name, size):
    def make(setting):
        source = room(size)

        def write():
            with open(path_of(setting, name), "wb", buffering=0) as file:
                for done in range(0, size, PIECE):
                    file.write(memoryview(source)[done:min(done + PIECE, size)])
        return write
    return make


def plain_read(name, size):
    def make(setting):
        plain_write(name, size)(setting)()
        into = room(size)

        def read():
            with open(path_of(setting, name), "rb", buffering=0) as file:
                for begin in range(0, size, PIECE):
                    file.readinto(memoryview(into)[begin:begin + PIECE])
        return read
    return make


# Models.

@functools.cache
def model_steps(tf, folder, framework, threads):
    """Variables of the wanted size in a session: how they are saved, and restored."""
    setting = Setting(framework, threads, folder)
    with tf.Graph().as_default():
        for i in range(TENSORS):
            tf.get_variable(f"v{i}", [ROWS, 1024], initializer=tf.random_uniform_initializer(i, i + 1))
        saver, session = tf.train.Saver(), tf.Session(config=setting.config(tf))
        session.run(tf.global_variables_initializer())
    path = path_of(setting, "model")

    def save():
        saver.save(session, path, write_meta_graph=False)

    save()
    return save, lambda: saver.restore(session, path)


def graph_model(which):
    return lambda tf, setting: model_steps(tf, setting.folder, setting.framework, setting.threads)[which]


def torch_model(which):
    def make(torch, setting):
        state, path = {f"v{i}": torch.rand(ROWS, 1024) for i in range(TENSORS)}, path_of(setting, f"model{which}")

        def save():
            torch.save(state, path)

        def restore():
            for name, value in torch.load(path).items():
                state[name].copy_(value)

        save()
        return restore if which else save
    return make


def checkpoints():
    size = MEBIBYTES << 20
    return [Workload(f"save_{MEBIBYTES}_mib", graph_model(0), torch_model(0), plain_write("model", size)),
            Workload(f"restore_{MEBIBYTES}_mib", graph_model(1), torch_model(1), plain_read("model_read", size))]


# Records.

def options(tf, compression):
    if not compression:
        return None
    return tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)


@functools.cache
def all_records(size, count):
    """Different ones, which take half of their length when they are packed."""
    rows = np.random.default_rng(size).integers(0, 16, [count, size], np.uint8)
    return [row.tobytes() for row in rows]


def write_records(kind, compression):
    def make(tf, setting):
        records = all_records(*RECORDS[kind])

        def write():
            with tf.python_io.TFRecordWriter(path_of(setting, kind), options(tf, compression)) as writer:
                for record in records:
                    writer.write(record)
        return write
    return make


def read_records(kind, compression):
    def make(tf, setting):
        write_records(kind, compression)(tf, setting)()
        size, count = RECORDS[kind]

        def read():
            found = 0
            for record in tf.python_io.tf_record_iterator(path_of(setting, kind), options(tf, compression)):
                found += len(record)
            assert found == size * count
        return read
    return make


def record_workloads():
    for kind, (size, count) in RECORDS.items():
        compression, length = "gzip" if kind == "packed" else "", (size + 16) * count
        yield Workload(f"write_{kind}_records", write_records(kind, compression), files=plain_write(kind, length))
        yield Workload(f"read_{kind}_records", read_records(kind, compression),
                       files=plain_read(f"{kind}_read", length))


# Events.

def write_events(tf, setting):
    summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])

    def write():
        writer = tf.summary.FileWriter(path_of(setting, "events"))
        for step in range(EVENTS):
            writer.add_summary(summary, step)
        writer.close()
    return write


def workloads(group):
    if group == "checkpoints":
        return checkpoints()
    events = Workload("write_events", write_events, files=plain_write("events", EVENTS * EVENT_BYTES))
    return [*checkpoints(), *record_workloads(), events]
