"""MapStagingArea: elements under keys."""
import tensorflow as tf
from tensorflow.python.ops import data_flow_ops


def key(number):
    return tf.constant(number, tf.int64)


def program_plain():
    area = data_flow_ops.MapStagingArea([tf.float32, tf.int32], shapes=[[], [2]])
    put = area.put(key(1), [tf.constant(1.0), tf.constant([1, 2])], [0, 1])
    peek, (got_key, got), size = area.peek(key(1)), area.get(key(1)), area.size()
    return [dict(put=put), dict(size=size), dict(peek=peek), dict(key=got_key, got=got),
            dict(size=size, shapes=[str(t.shape) for t in got])]


def program_names():
    area = data_flow_ops.MapStagingArea([tf.float32, tf.int32], names=["x", "y"], shared_name="mine", capacity=4)
    put_x = area.put(key(3), {"x": tf.constant(1.0)})
    put_y = area.put(key(3), {"y": tf.constant(2)}, name="later")
    incomplete = area.incomplete_size()
    _, got = area.get(key(3))
    return [dict(put=put_x), dict(incomplete=incomplete), dict(put=put_y), dict(got=got)]


def program_any():
    area = data_flow_ops.MapStagingArea([tf.float32], ordered=True)
    puts = [area.put(key(n), [tf.constant(float(n))], [0]) for n in (5, 2)]
    found, got = area.get()
    clear, size = area.clear(), area.size(name="how_many")
    return [dict(puts=puts), dict(key=found, got=got), dict(clear=clear), dict(size=size)]


def program_parts():
    area = data_flow_ops.MapStagingArea([tf.float32, tf.int32, tf.int64], names=["a", "b", "c"])
    put = area.put(key(1), {"a": tf.constant(1.0), "b": tf.constant(2), "c": key(3)})
    two, (_, one) = area.peek(key(1), indices=["a", "c"]), area.get(key(1), indices=[1])
    return [dict(put=put), dict(two=two), dict(one=one)]
