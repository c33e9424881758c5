import gzip
import os
import sqlite3
import tempfile

import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset
FOLDER = tempfile.mkdtemp()


def path(name, content=None):
    full = os.path.join(FOLDER, name)
    if content is not None:
        with open(full, "wb") as file:
            file.write(content)
    return full


def told(dataset):
    return {"spec": spec(dataset), "elements": elements(dataset)}


def records(name, values, compression=""):
    options = tf.python_io.TFRecordOptions(getattr(tf.python_io.TFRecordCompressionType, compression or "NONE"))
    with tf.python_io.TFRecordWriter(path(name), options) as writer:
        for value in values:
            writer.write(value)
    return path(name)


def example(i):
    feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 1])),
               "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
               "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"w"] * i))}
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def program_text_lines():
    return told(tf.data.TextLineDataset(path("a.txt", b"one\ntwo\r\n\nthree")))


def program_text_lines_of_files():
    names = [path("b.txt", b"1\n2\n"), path("c.txt", b"3\n")]
    return {"list": elements(tf.data.TextLineDataset(names)),
            "dataset": elements(tf.data.TextLineDataset(Dataset.from_tensor_slices(names))),
            "flat_map": elements(Dataset.from_tensor_slices(names).flat_map(tf.data.TextLineDataset))}


def program_text_lines_compressed():
    name = path("a.gz", gzip.compress(b"x\ny\n"))
    return {"elements": elements(tf.data.TextLineDataset(name, compression_type="GZIP"))}


def program_text_lines_in_parallel():
    names = [path(f"p{i}.txt", f"{i}a\n{i}b\n".encode()) for i in range(3)]
    return {"sorted": sorted(elements(tf.data.TextLineDataset(names, num_parallel_reads=2)))}


def program_missing_file():
    return {"error": raised(lambda: elements(tf.data.TextLineDataset(path("missing.txt"))))}


def program_records():
    return told(tf.data.TFRecordDataset(records("a.tfrecord", [b"one", b"", b"three"])))


def program_records_compressed():
    return {"elements": elements(tf.data.TFRecordDataset(records("z.tfrecord", [b"a", b"b"], "ZLIB"), "ZLIB"))}


def program_records_of_files():
    names = [records("r1.tfrecord", [b"1", b"2"]), records("r2.tfrecord", [b"3"])]
    return {"elements": elements(tf.data.TFRecordDataset(names)), "interleaved": elements(
        Dataset.from_tensor_slices(names).interleave(tf.data.TFRecordDataset, cycle_length=2))}


def program_broken_records():
    return {"error": raised(lambda: elements(tf.data.TFRecordDataset(path("broken", b"nonsense that is no record"))))}


def program_wrong_file_names():
    return {"type": raised(lambda: tf.data.TFRecordDataset(Dataset.range(3))),
            "shape": raised(lambda: tf.data.TFRecordDataset(Dataset.from_tensors(["a", "b"])))}


def program_fixed_length_records():
    name = path("fixed.bin", b"HH" + bytes(range(12)) + b"F")
    return told(tf.data.FixedLengthRecordDataset(name, 4, header_bytes=2, footer_bytes=1).map(
        lambda record: tf.decode_raw(record, tf.uint8)))


def program_list_files():
    os.makedirs(path("listed"), exist_ok=True)
    for name in ("b.txt", "a.txt", "c.bin"):
        path(os.path.join("listed", name), b"")
    pattern = path(os.path.join("listed", "*.txt"))
    base = [os.path.basename(x) for x in elements(Dataset.list_files(pattern, shuffle=False))]
    return {"names": base, "shuffled": sorted(os.path.basename(x) for x in elements(Dataset.list_files(pattern))),
            "none": raised(lambda: elements(Dataset.list_files(path("nothing*"))))}


def program_csv():
    name = path("a.csv", b"id,name,score\n1,\"a,b\",2.5\n2,c,\n")
    return told(tf.data.experimental.CsvDataset(name, [tf.int32, tf.string, [0.5]], header=True))


def program_csv_columns():
    name = path("b.csv", b"1;2;3\n4;5;6\n")
    return told(tf.data.experimental.CsvDataset(name, [tf.int64, tf.float32], field_delim=";", select_cols=[0, 2]))


def program_csv_missing_field():
    name = path("c.csv", b"1,\n")
    return {"error": raised(lambda: elements(tf.data.experimental.CsvDataset(name, [tf.int32, tf.int32])))}


def program_make_csv_dataset():
    name = path("d.csv", b"id,name,score,big\n1,a,2.5,3000000000\n2,b,3,1\n3,c,4.5,2\n")
    dataset = tf.data.experimental.make_csv_dataset(name, batch_size=2, num_epochs=1, shuffle=False)
    return told(dataset)


def program_make_csv_dataset_with_a_label():
    name = path("e.csv", b"id,name,score\n1,a,2.5\n2,b,3\n3,c,4.5\n")
    dataset = tf.data.experimental.make_csv_dataset(
        name, batch_size=3, label_name="score", select_columns=["id", "score"], num_epochs=1, shuffle=False)
    return told(dataset)


def program_make_csv_dataset_mistakes():
    name = path("f.csv", b"id,name\n1,a\n")
    make = tf.data.experimental.make_csv_dataset
    return {"label": raised(lambda: make(name, 1, label_name="other")),
            "files": raised(lambda: make(path("none*.csv"), 1)),
            "names": raised(lambda: make(name, 1, column_names=["a", "a"])),
            "header": raised(lambda: make(name, 1, header=False))}


def program_make_batched_features_dataset():
    name = records("examples.tfrecord", [example(i) for i in range(3)])
    features = {"x": tf.FixedLenFeature([2], tf.float32), "label": tf.FixedLenFeature([], tf.int64),
                "words": tf.VarLenFeature(tf.string)}
    dataset = tf.data.experimental.make_batched_features_dataset(
        name, 2, features, label_key="label", num_epochs=1, shuffle=False, reader=tf.data.TFRecordDataset)
    return told(dataset)


def program_write_records():
    name = path("written.tfrecord")
    write = tf.data.experimental.TFRecordWriter(name).write(Dataset.from_tensor_slices(["a", "bc"]))
    with tf.Session() as session:
        session.run(write)
    return {"elements": elements(tf.data.TFRecordDataset(name))}


def program_sql():
    name = path("a.sqlite")
    if os.path.exists(name):
        os.remove(name)
    with sqlite3.connect(name) as db:
        db.execute("create table people (name text, age integer, height real)")
        db.executemany("insert into people values (?, ?, ?)", [("ann", 30, 1.7), ("bob", 41, 1.8)])
    db.close()
    return told(tf.data.experimental.SqlDataset("sqlite", name, "select name, age, height from people order by age",
                                                (tf.string, tf.int32, tf.float64)))


def program_cache_in_a_file():
    calls = []
    dataset = Dataset.range(3).map(lambda x: tf.py_func(lambda v: calls.append(1) or v, [x], tf.int64))
    dataset = dataset.cache(os.path.join(tempfile.mkdtemp(), "cache"))
    return {"first": elements(dataset), "second": elements(dataset), "calls": len(calls)}


def program_parse_in_a_pipeline():
    name = records("pipeline.tfrecord", [example(i) for i in range(4)])
    features = {"x": tf.FixedLenFeature([2], tf.float32), "label": tf.FixedLenFeature([], tf.int64)}

    def parse(serialized):
        parsed = tf.parse_single_example(serialized, features)
        return parsed["x"], parsed["label"]
    dataset = tf.data.TFRecordDataset([name]).map(parse, num_parallel_calls=2).shuffle(4, seed=1).repeat(2).batch(3)
    return told(dataset)
