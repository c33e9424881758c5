#!/usr/bin/env python3
"""Lets TensorFlow write files of every format into tests/golden/io, where rill/io's tests read them.

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does. What is written is
described in tools/io_samples.py; times and host names differ from run to run.
"""
import shutil

import goldens  # sets TensorFlow's environment: first
import tensorflow.compat.v1 as tf
from tensorflow.core.util import event_pb2
from tensorflow.python.client import _pywrap_events_writer

import io_samples

FOLDER = goldens.ROOT / "tests" / "golden" / "io"


def run(make):
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(make())


def write_records():
    for suffix, compression in (("", ""), (".zlib", "ZLIB"), (".gzip", "GZIP")):
        with tf.io.TFRecordWriter(str(FOLDER / f"records{suffix}"), compression) as writer:
            for record in io_samples.records():
                writer.write(record)


def save(prefix, named):
    """`named`: (name, shape_and_slice, tensor)."""
    names, slices, tensors = zip(*named)
    return tf.raw_ops.SaveV2(prefix=prefix, tensor_names=list(names),
                             shape_and_slices=list(slices), tensors=list(tensors))


def samples():
    named = [(f"t/{name}", "", io_samples.tensor(name)) for name in io_samples.TYPES]
    return named + [(name, "", tf.constant(value))
                    for name, value in io_samples.other_values().items()]


def parts(boundary):
    rows = io_samples.counted(10, 4)
    return [("rows", f"10 4 0,{boundary}:0,4", tf.constant(rows[:boundary])),
            ("rows", f"10 4 {boundary},{10 - boundary}:0,4", tf.constant(rows[boundary:]))]


def write_checkpoint():
    def make():
        elements = tf.raw_ops.TensorListFromTensor(tensor=tf.constant(io_samples.counted(3, 2)),
                                                   element_shape=[2])
        return save(str(FOLDER / "model"), samples() + parts(6) + [("list", "", elements)])
    run(make)


def write_merged_checkpoint():
    prefixes = [str(FOLDER / "tmp" / f"part-{i}") for i in range(2)]
    for i, prefix in enumerate(prefixes):
        run(lambda: save(prefix, [(f"v{i}", "", tf.constant(io_samples.counted(i + 1, 2))),
                                  parts(5)[i]]))
    run(lambda: tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=prefixes,
                                              destination_prefix=str(FOLDER / "merged")))


def write_v1_checkpoint():
    types = [name for name in io_samples.TYPES
             if name not in ("bfloat16", "uint32", "uint64", "qint16", "quint16")]

    def shard(i):
        named = [(f"t/{name}", "", io_samples.tensor(name)) for name in types[i::2]]
        named.append(parts(6)[i])
        if i == 0:
            named += [(name, "", tf.constant(value))
                      for name, value in io_samples.other_values().items() if name != "empty"]
        named.sort(key=lambda item: item[0])
        names, slices, tensors = zip(*named)
        return tf.raw_ops.SaveSlices(filename=str(FOLDER / f"old-{i:05d}-of-00002"),
                                     tensor_names=list(names), shapes_and_slices=list(slices),
                                     data=list(tensors))
    for i in range(2):
        run(lambda: shard(i))


def write_events():
    writer = _pywrap_events_writer.EventsWriter(str(FOLDER / "written").encode())
    for step in range(1, 4):
        event = event_pb2.Event(wall_time=1500000000 + step * 0.25, step=step)
        event.summary.value.add(tag="loss", simple_value=1 / step)
        writer.WriteEvent(event)
    writer.Close()
    next(FOLDER.glob("written.out.tfevents.*")).rename(FOLDER / "events")


def main():
    tf.disable_v2_behavior()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    write_records()
    write_checkpoint()
    write_merged_checkpoint()
    write_v1_checkpoint()
    write_events()


if __name__ == "__main__":
    main()
