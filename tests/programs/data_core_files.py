"""Datasets of files: records, lines, fields; files that are compressed, broken or missing."""
import gzip
import os
import tempfile
import zlib

import numpy as np
import tensorflow as tf

from data_core import elements

Dataset = tf.data.Dataset


def in_folder(body):
    """Calls `body` with a function that writes a file and tells its path."""
    with tempfile.TemporaryDirectory() as folder:
        def write(name, content):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            return path
        return body(write)


def records(write, name, texts, compression=""):
    path = write(name, b"")
    with tf.python_io.TFRecordWriter(path, options=compression) as writer:
        for text in texts:
            writer.write(text)
    return path


def program_lines():
    def body(write):
        a, b, c = write("a", b"one\r\ntw\ro\n\nlast"), write("b", b""), write("c", b"x\n")
        return {"one": elements(lambda: tf.data.TextLineDataset(a)), "three": elements(lambda: tf.data.TextLineDataset([a, b, c])),
                "small pieces": elements(lambda: tf.data.TextLineDataset([a, c], buffer_size=2)),
                "from a dataset": elements(lambda: Dataset.from_tensor_slices([c, a]).flat_map(tf.data.TextLineDataset)),
                "without the first": elements(lambda: tf.data.TextLineDataset(a).skip(1))}
    return in_folder(body)


def program_compressed_lines():
    def body(write):
        z, g = write("z", zlib.compress(b"one\ntwo\n")), write("g", gzip.compress(b"three\nfour"))
        return {"zlib": elements(lambda: tf.data.TextLineDataset(z, compression_type="ZLIB")),
                "gzip": elements(lambda: tf.data.TextLineDataset(g, compression_type="GZIP")),
                "not compressed": elements(lambda: tf.data.TextLineDataset(write("p", b"plain\n"), compression_type="GZIP"), most=1)}
    return in_folder(body)


def program_long_lines():
    def body(write):
        path = write("l", b"x" * 300000 + b"\n" + b"y" * 10)
        return {"sizes": elements(lambda: tf.data.TextLineDataset(path).map(tf.strings.length))}
    return in_folder(body)


def program_records():
    def body(write):
        a, b = records(write, "a", [b"one", b"", b"three"]), records(write, "b", [b"x"])
        return {"one": elements(lambda: tf.data.TFRecordDataset(a)), "two": elements(lambda: tf.data.TFRecordDataset([a, b])),
                "small pieces": elements(lambda: tf.data.TFRecordDataset(a, buffer_size=1)),
                "batches": elements(lambda: tf.data.TFRecordDataset([a, b]).batch(3)),
                "epochs": elements(lambda: tf.data.TFRecordDataset(b).repeat(2))}
    return in_folder(body)


def program_compressed_records():
    def body(write):
        return {kind: elements(lambda k=kind: tf.data.TFRecordDataset(records(write, k, [b"a", b"bb"], k), compression_type=k))
                for kind in ("ZLIB", "GZIP")}
    return in_folder(body)


def program_broken_records():
    def body(write):
        good = records(write, "good", [b"x", b"y"])
        with open(records(write, "bad", [b"one", b"two", b"three"]), "rb") as file:
            content = bytearray(file.read())
        content[32] ^= 1
        bad = write("bad", bytes(content))
        return {"seen": elements(lambda: tf.data.TFRecordDataset([bad, good])),
                "ignored": elements(lambda: tf.data.TFRecordDataset([bad, good]).apply(tf.data.experimental.ignore_errors()))}
    return in_folder(body)


def program_missing_files():
    return {"records": elements(lambda: tf.data.TFRecordDataset("/nowhere/at/all"), most=1),
            "lines": elements(lambda: tf.data.TextLineDataset(["/nowhere/at/all"]), most=1),
            "pieces": elements(lambda: tf.data.FixedLengthRecordDataset("/nowhere/at/all", 2), most=1)}


def program_pieces():
    def body(write):
        path = write("f", b"HHabcdefghiFFF")
        fixed = tf.data.FixedLengthRecordDataset
        return {"all": elements(lambda: fixed(path, 3, header_bytes=2, footer_bytes=3)),
                "plain": elements(lambda: fixed(path, 7)), "twice": elements(lambda: fixed([path, path], 7)),
                "wrong": elements(lambda: fixed(path, 4), most=1),
                "small pieces": elements(lambda: fixed(path, 7, buffer_size=1))}
    return in_folder(body)


def program_compressed_pieces():
    def body(write):
        path = write("f", gzip.compress(b"HHabcdefghiFFF"))
        bad = write("b", gzip.compress(b"HHabcdefghFFF"))
        fixed = tf.data.FixedLengthRecordDataset
        return {"all": elements(lambda: fixed(path, 3, header_bytes=2, footer_bytes=3, compression_type="GZIP")),
                "wrong": elements(lambda: fixed(bad, 3, header_bytes=2, footer_bytes=3, compression_type="GZIP"))}
    return in_folder(body)


def csv(write, text, defaults, **options):
    return elements(lambda: tf.data.experimental.CsvDataset(write("c.csv", text), defaults, **options))


def program_fields():
    def body(write):
        text = b"a,b,c\n1,2.5,\"x,y\"\n2,,\"he said \"\"hi\"\"\"\n3,NA,z\r\n4,1,\"two\nlines\""
        return {"all": csv(write, text, [tf.int32, np.float32([7]), ["dd"]], header=True, na_value="NA")}
    return in_folder(body)


def program_fields_that_are_wrong():
    def body(write):
        text = b"1,2\n1,2,3,4\nx,2,y\n,1,q\n6,1,a\"b\n\n7,1,ok\n8,1,\"open"
        return {"all": csv(write, text, [tf.int32, [7.0], ["dd"]])}
    return in_folder(body)


def program_fields_of_all_types():
    def body(write):
        return {"all": csv(write, b"1,2,3.5,4.5,s\n-1,-2,1e3,inf,\n", [tf.int32, tf.int64, tf.float32, tf.float64, [""]])}
    return in_folder(body)


def program_selected_fields():
    def body(write):
        text = b"q,1,r\nt,3,u\n"
        return {"one": csv(write, text, [tf.int32], select_cols=[1]), "two": csv(write, text, [tf.string, tf.string], select_cols=[0, 2]),
                "none there": csv(write, text, [tf.string, tf.string], select_cols=[0, 7])}
    return in_folder(body)


def program_other_delimiters():
    def body(write):
        return {"tab": csv(write, b"1\t\"a,b\"\n", [tf.int32, tf.string], field_delim="\t"),
                "no quotes": csv(write, b"1,\"a\n2,b\"\n", [tf.int32, tf.string], use_quote_delim=False)}
    return in_folder(body)


def program_fields_of_several_files():
    def body(write):
        paths = [write(name, b"h\n1\n2\n") for name in "ab"]
        return {"all": elements(lambda: tf.data.experimental.CsvDataset(paths, [tf.int32], header=True)),
                "packed": elements(lambda: tf.data.experimental.CsvDataset(
                    write("g", gzip.compress(b"3\n4\n")), [tf.int32], compression_type="GZIP"))}
    return in_folder(body)


def program_empty_file_without_its_header():
    return in_folder(lambda write: {"all": csv(write, b"", [tf.int32], header=True)})


def program_listed_files():
    def body(write):
        paths = [write(name, b"") for name in ("b.txt", "a.txt", "c")]
        folder = os.path.dirname(paths[0])
        names = [[part.item().replace(folder.encode(), b"") for part in found] if found != "END" else found
                 for found in elements(lambda: Dataset.list_files(folder + "/*.txt", shuffle=False))]
        return {"sorted": names, "count": len(elements(lambda: Dataset.list_files(folder + "/*", shuffle=True)))}
    return in_folder(body)


def program_cached_in_a_file():
    def body(write):
        prefix = write("unused", b"") + "-cache"
        first = elements(lambda: Dataset.from_tensor_slices((np.arange(3), [b"a", b"b", b"c"])).cache(prefix))
        again = elements(lambda: Dataset.from_tensor_slices((np.arange(7, 9), [b"x", b"y"])).cache(prefix).repeat(2))
        files = sorted(name.replace("unused", "") for name in os.listdir(os.path.dirname(prefix)))
        return {"first": first, "again": again, "files": files}
    return in_folder(body)


def program_written_records():
    def body(write):
        path = write("out", b"")
        with tf.Graph().as_default():
            op = tf.data.experimental.TFRecordWriter(path).write(Dataset.from_tensor_slices([b"a", b"bb"]))
            with tf.Session() as session:
                session.run(op)
        return {"all": elements(lambda: tf.data.TFRecordDataset(path))}
    return in_folder(body)


def program_sql_rows():
    import sqlite3
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "d.sqlite")
        connection = sqlite3.connect(path)
        connection.executescript("create table t(a int, b real, c text);"
                                 "insert into t values(1,2.5,'x'),(-3,1e10,NULL),(300,'abc',7);")
        connection.close()

        def sql(query, types):
            return elements(lambda: tf.data.experimental.SqlDataset("sqlite", path, query, types))
        return {"all": sql("select a, b, c from t order by a", (tf.int64, tf.float64, tf.string)),
                "small": sql("select a, a, a from t", (tf.int8, tf.uint16, tf.bool))}
