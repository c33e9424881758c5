"""TFRecord files."""
import tensorflow.compat.v1 as tf


def write(records, *options):
    with tf.io.TFRecordWriter("records", *options) as writer:
        for record in records:
            writer.write(record)


def question(**options):
    return {"kind": "records", "file": "records", **options}


RECORDS = [b"hello", b"", bytes(range(256)), b"x" * 1000]


def case_plain(folder):
    write(RECORDS)
    return question()


def case_none_at_all(folder):
    write([])
    return question()


def case_zlib(folder):
    write(RECORDS, "ZLIB")
    return question(compression="ZLIB")


def case_gzip(folder):
    write(RECORDS, tf.io.TFRecordOptions(tf.io.TFRecordCompressionType.GZIP))
    return question(compression="GZIP")


def case_levels(folder):
    write(RECORDS * 3, tf.io.TFRecordOptions("ZLIB", compression_level=9, mem_level=4, window_bits=12,
                                             compression_strategy=2))
    return question(compression="ZLIB")


def case_flushed(folder):
    """Flushing in between leaves marks in what is packed."""
    with tf.io.TFRecordWriter("records", tf.io.TFRecordOptions("GZIP", compression_level=1)) as writer:
        for record in RECORDS:
            writer.write(record)
            writer.flush()
    return question(compression="GZIP")


def example(i):
    found = tf.train.Example()
    features = found.features.feature
    features["id"].int64_list.value.extend([i, -i])
    features["x"].float_list.value.extend([0.5 * i, 1e30])
    features["name"].bytes_list.value.extend([b"name %d" % i, b"\xff"])
    features["nothing"].SetInParent()
    return found


def case_examples(folder):
    write([example(i).SerializeToString() for i in range(3)])
    return question(message="Example")


def case_sequence_examples(folder):
    found = tf.train.SequenceExample()
    found.context.CopyFrom(example(1).features)
    for i in range(3):
        found.feature_lists.feature_list["steps"].feature.add().int64_list.value.extend(range(i))
    write([found.SerializeToString()], "ZLIB")
    return question(message="SequenceExample", compression="ZLIB")
