"""What programs take from TensorFlow's inner modules: dependencies, known branches, staging areas, vocabularies."""
import pathlib

import tensorflow as tf
from program import feeds
from tensorflow.python.framework import smart_cond
from tensorflow.python.ops import control_flow_ops, data_flow_ops, lookup_ops


def program_with_dependencies():
    v = tf.constant([[1.0]])
    s = tf.IndexedSlices(v, tf.constant([0]))
    after = control_flow_ops.with_dependencies([tf.no_op()], s)
    return {"a": control_flow_ops.with_dependencies([tf.no_op(), tf.constant(2)], v),
            "b": control_flow_ops.with_dependencies([tf.no_op()], v, name="w"), "s": after.values}


def program_smart_cond():
    p = tf.placeholder(tf.bool, [])
    return feeds({p: True}, a=smart_cond.smart_cond(True, lambda: 1, lambda: 2),
                 b=smart_cond.smart_cond(tf.constant(False), lambda: tf.constant(1), lambda: tf.constant(2)),
                 c=smart_cond.smart_cond(p, lambda: 1, lambda: 2, name="sc"),
                 d=smart_cond.smart_cond(1, lambda: 3, lambda: 4),
                 known=[smart_cond.smart_constant_value(False), str(smart_cond.smart_constant_value(p))])


def program_staging_area():
    area = data_flow_ops.StagingArea([tf.float32, tf.int32], shapes=[[2], []], names=["a", "b"], shared_name="n",
                                     capacity=3, memory_limit=100)
    put = area.put({"a": tf.constant([1.0, 2.0]), "b": tf.constant(3)})
    return [{"put": put}, {"put": put}, {"size": area.size()}, {"peek": area.peek(1)}, {"got": area.get()},
            {"clear": area.clear(), "name": area.name}]


def program_staging_area_plain():
    area = data_flow_ops.StagingArea([tf.float32])
    put = area.put([tf.constant(1.0)], name="pp")
    return [{"put": put}, {"put": area.put(tf.constant(2.0))}, {"got": area.get()}, {"got": area.get(name="x")}]


def program_barrier():
    b = data_flow_ops.Barrier((tf.float32, tf.int32), shapes=((), ()))
    first = b.insert_many(0, ["k", "l"], [1.0, 2.0])
    second = b.insert_many(1, ["k", "l"], [3, 4], name="second")
    taken = b.take_many(2)
    return [{"first": first}, {"incomplete": b.incomplete_size()}, {"second": second}, {"ready": b.ready_size()},
            {"keys": taken.keys, "values": taken.values, "shape": str(taken.keys.shape)},
            {"close": b.close(), "name": b.name}]


def _words():
    path = pathlib.Path("/tmp/rill_program_vocabulary.txt")
    path.write_text("alpha\nbeta\ngamma\n")
    return str(path)


def program_index_table_from_tensor():
    t = lookup_ops.index_table_from_tensor(tf.constant(["a", "b"]), num_oov_buckets=1, default_value=-1)
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant(["a", "z"])), "size": t.size()}]


def program_index_table_from_list():
    t = lookup_ops.index_table_from_tensor(["a", "b"], default_value=-5)
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant(["b", "z"]))}]


def program_index_table_of_numbers():
    t = lookup_ops.index_table_from_tensor([3, 5], num_oov_buckets=2, dtype=tf.int32)
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant([5, 7])), "size": t.size()}]


def program_index_table_from_file():
    t = lookup_ops.index_table_from_file(_words(), num_oov_buckets=1)
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant(["beta", "delta"]))}]


def program_index_table_from_file_named():
    t = lookup_ops.index_table_from_file(_words(), vocab_size=2, name="nm")
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant(["beta", "gamma"]))}]


def program_index_to_string():
    t = lookup_ops.index_to_string_table_from_tensor(["a", "b"], default_value="U")
    f = lookup_ops.index_to_string_table_from_file(_words(), vocab_size=2)
    ids = tf.constant([1, 7], tf.int64)
    return [{"init": tf.tables_initializer()}, {"t": t.lookup(ids), "f": f.lookup(ids)}]


def program_mutable_hash_table():
    t = lookup_ops.MutableHashTable(tf.string, tf.int64, -1)
    put = t.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    return [{"put": put}, {"found": t.lookup(tf.constant(["b", "c"])), "size": t.size()},
            {"gone": t.remove(tf.constant(["b"]))}, {"left": list(t.export())}]


def program_mutable_hash_table_of_vectors():
    t = lookup_ops.MutableHashTable(tf.string, tf.float32, [0.0, 0.5], name="m", checkpoint=False)
    put = t.insert(tf.constant(["a"]), tf.constant([[1.0, 2.0]]))
    return [{"put": put}, {"found": t.lookup(tf.constant(["a", "c"]))}]
