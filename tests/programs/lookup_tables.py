"""tf.lookup: tables from keys to values."""
import pathlib

import tensorflow as tf


def program_hash_table():
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    found = t.lookup(tf.constant(["a", "x"]))
    return [{"init": tf.tables_initializer(), "count": len(tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))},
            {"found": found, "size": t.size(), "name": t.name, "keys": t.key_dtype.name,
             "values": t.value_dtype.name, "shape": str(found.shape), "default": t.default_value}]


def program_hash_table_names():
    init = tf.lookup.KeyValueTensorInitializer(tf.constant([1, 2], tf.int64), tf.constant(["x", "y"]), name="init")
    t = tf.lookup.StaticHashTable(init, "d", name="tt")
    return [{"init": t.initializer}, {"found": t.lookup(tf.constant([[1, 3]], tf.int64), name="lk"),
                                      "size": t.size(name="sz"), "rows": len(t.export(name="ex"))}]


def program_hash_table_dtypes():
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        ["a", "b"], [1.5, 2.5], key_dtype=tf.string, value_dtype=tf.float32), 0.0)
    with tf.name_scope("inner"):
        found = t.lookup(tf.constant(["b"]))
    return [{"init": tf.tables_initializer(name="fill")}, {"found": found}]


def program_no_tables():
    return {"init": tf.tables_initializer()}


def _write(name, lines):
    path = pathlib.Path("/tmp") / f"rill_program_{name}.txt"
    path.write_text("".join(line + "\n" for line in lines))
    return str(path)


def program_text_file():
    path = _write("words", ["alpha", "beta", "gamma"])
    t = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
        path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
    return [{"init": tf.tables_initializer(),
             "assets": len(tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS))},
            {"found": t.lookup(tf.constant(["beta", "delta"])), "size": t.size()}]


def program_text_file_columns():
    path = _write("columns", ["a 10", "b 20"])
    t = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
        path, tf.string, 0, tf.int64, 1, vocab_size=2, delimiter=" ", name="columns"), -1, name="t")
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant(["a", "b", "c"]))}]


def program_vocabulary():
    t = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        ["a", "b"], tf.constant([0, 1], tf.int64)), 3)
    return [{"init": t.initializer}, {"found": t.lookup(tf.constant(["a", "x", "b", "y"])), "size": t.size(),
                                      "name": t.name}]


def program_vocabulary_of_numbers():
    t = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        tf.constant([7, 8], tf.int64), tf.constant([0, 1], tf.int64)), 3, name="v")
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant([5, 8], tf.int64)), "size": t.size()}]


def program_vocabulary_without_table():
    t = tf.lookup.StaticVocabularyTable(None, 3)
    return {"found": t.lookup(tf.constant(["a", "b"])), "size": t.size()}


def program_vocabulary_int32():
    t = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        tf.constant([7, 8], tf.int64), tf.constant([0, 1], tf.int64)), 3, lookup_key_dtype=tf.int32)
    return [{"init": tf.tables_initializer()}, {"found": t.lookup(tf.constant([5, 8]))}]


def program_dense_hash_table():
    t = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$")
    put = t.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    return [{"put": put}, {"found": t.lookup(tf.constant(["a", "c"])), "size": t.size()},
            {"gone": t.remove(tf.constant(["a"]))}, {"more": t.insert_or_assign(["z"], [9])},
            {"erased": t.erase(tf.constant(["b"]))}, {"found": t.lookup(tf.constant(["a", "z"]))},
            {"name": t.name, "export": len(t.export())}]


def program_dense_hash_table_of_vectors():
    t = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, [0.0, 0.5], -1, -2, initial_num_buckets=4,
                                              name="dd", checkpoint=False)
    put = t.insert(tf.constant([1], tf.int64), [[1.0, 2.0]])
    return [{"put": put}, {"found": t.lookup(tf.constant([1, 2], tf.int64))}]
