"""Lets TensorFlow and TensorBoard read the files that tests/interop/write_files.cc writes."""
import subprocess

import numpy as np
import tensorflow.compat.v1 as tf
from tensorboard.backend.event_processing import event_accumulator

import goldens
import io_samples

WRITER = goldens.ROOT / "build" / "release" / "bin" / "rill_write_files"


def restored(prefix, named):
    """`named`: (name, shape_and_slice, dtype). What TensorFlow's RestoreV2 makes of them."""
    names, slices, dtypes = zip(*named)
    with tf.Graph().as_default(), tf.Session() as session:
        tensors = tf.raw_ops.RestoreV2(prefix=str(prefix), tensor_names=list(names),
                                       shape_and_slices=list(slices), dtypes=list(dtypes))
        return session.run([io_samples.plain(tensor) for tensor in tensors])


def same(got, want):
    # Strings as objects: NumPy's own string type depends on their length.
    got, want = (a.astype(object) if a.dtype.kind == "S" else a
                 for a in (np.asarray(got), np.asarray(want)))
    if got.dtype == want.dtype and np.array_equal(got, want):
        return None
    return f"{got.dtype} {got!r} instead of {want.dtype} {want!r}"


def check_records(report, folder):
    for suffix, compression in (("", ""), (".zlib", "ZLIB"), (".gzip", "GZIP")):
        options = tf.io.TFRecordOptions(compression)
        read = list(tf.io.tf_record_iterator(str(folder / f"records{suffix}"), options))
        report.check(f"records{suffix}",
                     None if read == io_samples.records() else f"{read} was read")


def check_checkpoint(report, folder):
    wanted = {f"t/{name}": (io_samples.dtype_of(name), io_samples.value(name))
              for name in io_samples.TYPES}
    for name, value in io_samples.other_values().items():
        array = np.asarray(value)
        dtype = tf.string if array.dtype.kind in "SO" else tf.as_dtype(array.dtype)
        wanted[name] = (dtype, value)
    values = restored(folder / "model", [(name, "", dtype) for name, (dtype, _) in wanted.items()])
    for (name, (_, value)), got in zip(wanted.items(), values):
        report.check(f"model {name}", same(got, value))
    rows = io_samples.counted(10, 4)
    for text, want in (("", rows), ("10 4 6,4:0,4", rows[6:]), ("10 4 5,3:-", rows[5:8])):
        report.check(f"model rows {text}",
                     same(restored(folder / "model", [("rows", text, tf.float32)])[0], want))
    listed = tf.train.load_checkpoint(str(folder / "model")).get_variable_to_shape_map()
    report.check("model listed", None if set(listed) == {*wanted, "rows"} else str(listed))


def check_large(report, folder):
    reader = tf.train.load_checkpoint(str(folder / "large"))
    shapes = reader.get_variable_to_shape_map()
    report.check("large listed", None if len(shapes) == 12000 else f"{len(shapes)} tensors")
    wrong = [name for name in shapes if reader.get_tensor(name) != int(name.rsplit("_", 1)[1])]
    report.check("large", f"{wrong[:5]} are wrong" if wrong else None)


def check_merged(report, folder):
    reader = tf.train.load_checkpoint(str(folder / "merged"))
    for name, want in (("v0", io_samples.counted(1, 2)), ("v1", io_samples.counted(2, 2)),
                       ("rows", io_samples.counted(10, 4))):
        report.check(f"merged {name}", same(reader.get_tensor(name), want))


def check_events(report, folder):
    path = next((folder / "log").glob("events.out.tfevents.*"))
    events = list(tf.train.summary_iterator(str(path)))
    steps = [event.step for event in events if event.HasField("summary")]
    report.check("events, TensorFlow", None if steps == [1, 2, 3] else f"steps {steps}")
    board = event_accumulator.EventAccumulator(str(folder / "log")).Reload()
    read = [(event.wall_time, event.step, event.value) for event in board.Scalars("loss")] \
        if "loss" in board.Tags()["scalars"] else board.Tags()
    want = [(1500000000 + step * 0.25, step, float(np.float32(1 / step))) for step in (1, 2, 3)]
    report.check("events, TensorBoard", None if read == want else f"{read} instead of {want}")


def check_files(report, scratch):
    subprocess.run([WRITER, scratch], check=True, cwd=goldens.ROOT)
    for check in (check_records, check_checkpoint, check_large, check_merged, check_events):
        check(report, scratch)
