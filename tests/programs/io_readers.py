"""Readers: their nodes, and what they read where that needs no files."""
import tensorflow as tf


def work(*items):
    queue = tf.FIFOQueue(10, tf.string, shapes=[[]], name="work")
    return queue, queue.enqueue_many([list(items)])


def program_identity_reader():
    reader = tf.IdentityReader()
    queue, fill = work("a", "b", "c")
    key, value = reader.read(queue)
    count, done = reader.num_records_produced(), reader.num_work_units_completed()
    return [dict(fill=fill), dict(key=key, value=value), dict(key=key), dict(count=count, done=done)]


def program_read_up_to():
    reader = tf.IdentityReader(name="same")
    queue, fill = work("a", "b", "c")
    keys, values = reader.read_up_to(queue, 2, name="some")
    return [dict(fill=fill), dict(keys=keys, values=values)]


def program_state():
    reader = tf.IdentityReader()
    queue, fill = work("a", "b")
    key, _ = reader.read(queue.queue_ref)
    state, reset = reader.serialize_state(), reader.reset()
    restore = reader.restore_state(state, name="back")
    return [dict(fill=fill), dict(key=key), dict(restore=restore), dict(reset=reset),
            dict(count=reader.num_records_produced(name="n"), can=reader.supports_serialize)]


def program_kinds():
    readers = [tf.WholeFileReader(), tf.TextLineReader(), tf.TextLineReader(skip_header_lines=1, name="lines"),
               tf.FixedLengthRecordReader(3), tf.FixedLengthRecordReader(3, 1, 2, 4, "fixed", "ZLIB"),
               tf.TFRecordReader(), tf.TFRecordReader(
                   name="packed", options=tf.io.TFRecordOptions(tf.io.TFRecordCompressionType.GZIP)),
               tf.LMDBReader(), tf.IdentityReader()]
    queue, _ = work("a")
    names = [reader.read(queue)[1].name for reader in readers]
    return dict(names=names, refs=[reader.reader_ref.name for reader in readers],
                can=[reader.supports_serialize for reader in readers])


def program_base_class():
    made = tf.WholeFileReader(name="files")
    reader = tf.ReaderBase(made.reader_ref, supports_serialize=True)
    queue, _ = work("a")
    return dict(key=reader.read(queue, name="r")[0].name, can=reader.supports_serialize)


def program_read_from_producer():
    with tf.name_scope("input"):
        queue = tf.train.string_input_producer(["x.txt", "y.txt"], shuffle=False)
        key, value = tf.TextLineReader(skip_header_lines=1).read(queue)
        batch = tf.train.batch([key, value], 2)
    return dict(names=[t.name for t in batch], shapes=[str(t.shape) for t in batch])
