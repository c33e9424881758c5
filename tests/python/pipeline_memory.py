"""Prints the resident memory, in KiB, after a few epochs of an input pipeline and after many more.

usage: pipeline_memory.py FORM FOLDER [leaking]
"""
import gc
import os
import sys

import numpy as np
import tensorflow as tf

WARM, EPOCHS = 20, 100
Dataset = tf.data.Dataset


def record_file(folder):
    path = os.path.join(folder, "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(256):
            feature = tf.train.Feature(float_list=tf.train.FloatList(value=[i] * 2048))
            writer.write(tf.train.Example(features=tf.train.Features(feature={"x": feature})).SerializeToString())
    return path


def records(folder):
    spec = {"x": tf.FixedLenFeature([2048], tf.float32)}
    return tf.data.TFRecordDataset(record_file(folder)).batch(32).map(lambda batch: tf.parse_example(batch, spec)["x"])


def slices(_):
    return Dataset.from_tensor_slices(np.ones([512, 1024], np.float32)).shuffle(64).repeat(2).batch(32)


def mapped(_):
    return Dataset.range(256).map(lambda x: tf.fill([2048], x), num_parallel_calls=2).batch(32).prefetch(2)


def generated(_):
    return Dataset.from_generator(lambda: (np.full([2048], i) for i in range(128)), tf.int64, [2048]).batch(32)


def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def main():
    form, folder = sys.argv[1:3]
    iterator = globals()[form](folder).make_initializable_iterator()
    get_next = iterator.get_next()
    kept = []
    with tf.Session() as session:
        for epoch in range(1, EPOCHS + 1):
            session.run(iterator.initializer)
            try:
                while True:
                    batch = session.run(get_next)
            except tf.errors.OutOfRangeError:
                pass
            if "leaking" in sys.argv:
                kept.append(batch + 0)
            if epoch in (WARM, EPOCHS):
                gc.collect()
                print(resident())


if __name__ == "__main__":
    main()
