"""Run as a program with a directory of an object store or of HDFS: does there what programs do with files, and
compares. `test_stores.py` runs it against each kind of server."""
import os
import subprocess
import sys

import numpy as np

import rill as tf

TOP = sys.argv[1]
LARGE = int(os.environ.get("STORE_PROGRAM_LARGE", 20_000_000))


def path(*names):
    return "/".join((TOP, *names))


def write(name, data, mode="wb"):
    with tf.gfile.GFile(path(name), mode) as file:
        file.write(data)


def read(name):
    with tf.gfile.GFile(path(name), "rb") as file:
        return file.read()


def raises(kind, call, *texts):
    try:
        call()
    except kind as error:
        for text in texts:
            assert text in str(error), str(error)
        return
    raise AssertionError(f"{kind} was expected")


def files():
    tf.gfile.MakeDirs(path("a/b"))
    assert tf.gfile.IsDirectory(path("a/b")) and tf.gfile.IsDirectory(path("a")) and tf.gfile.Exists(path("a/b"))
    write("a/b/one.txt", "grün\n".encode())
    write("a/b/empty", b"")
    write("a/b/odd name+&<ü>%20", b"odd")
    assert read("a/b/one.txt") == "grün\n".encode() and read("a/b/empty") == b"" and read("a/b/odd name+&<ü>%20") == b"odd"
    assert tf.gfile.Stat(path("a/b/one.txt")).length == 6 and not tf.gfile.IsDirectory(path("a/b/one.txt"))
    assert tf.gfile.ListDirectory(path("a/b")) == ["empty", "odd name+&<ü>%20", "one.txt"]
    assert tf.gfile.ListDirectory(path("a")) == ["b"]
    assert tf.gfile.Glob(path("a/*/*e*")) == [path("a/b/empty"), path("a/b/odd name+&<ü>%20"), path("a/b/one.txt")]
    assert tf.gfile.Glob(path("a/b/x*")) == []
    raises(tf.errors.NotFoundError, lambda: read("a/none"), "a/none")
    raises(tf.errors.NotFoundError, lambda: tf.gfile.Stat(path("a/none")))
    raises(tf.errors.NotFoundError, lambda: tf.gfile.ListDirectory(path("none")))
    raises(tf.errors.NotFoundError, lambda: tf.gfile.Remove(path("a/none")))
    raises(tf.errors.FailedPreconditionError, lambda: read("a/b"), "directory")
    assert not tf.gfile.Exists(path("a/b/one")) and not tf.gfile.Exists(path("a/b/one.tx"))


def lists():
    for i in range(23):
        write(f"many/f{i:02}", b"%d" % i)
        if i % 5 == 0:
            write(f"many/d{i:02}/x/y", b"")
    names = [f"d{i:02}" for i in range(0, 23, 5)] + [f"f{i:02}" for i in range(23)]
    assert tf.gfile.ListDirectory(path("many")) == names
    assert len(tf.gfile.Glob(path("many/f*"))) == 23
    walked = list(tf.gfile.Walk(path("many")))
    assert walked[0][0] == path("many") and walked[0][1] == names[:5] and walked[0][2] == names[5:]
    assert [top for top, _, _ in walked[1:3]] == [path("many/d00"), path("many/d00/x")]
    tf.gfile.DeleteRecursively(path("many"))
    assert not tf.gfile.Exists(path("many"))


def copies():
    write("from", b"content")
    tf.gfile.Copy(path("from"), path("to"))
    raises(tf.errors.AlreadyExistsError, lambda: tf.gfile.Copy(path("from"), path("to")))
    local = f"{os.environ['STORE_PROGRAM_LOCAL']}/local"
    tf.gfile.Copy(path("to"), local, overwrite=True)
    assert open(local, "rb").read() == b"content"
    tf.gfile.Copy(local, "ram://x", overwrite=True)
    tf.gfile.Copy("ram://x", path("back"), overwrite=True)
    tf.gfile.Rename(path("back"), path("to"), overwrite=True)
    assert read("to") == b"content" and not tf.gfile.Exists(path("back"))
    tf.gfile.MakeDirs(path("old/deep"))
    write("old/deep/file", b"moved")
    tf.gfile.Rename(path("old"), path("new"))
    assert read("new/deep/file") == b"moved" and not tf.gfile.Exists(path("old"))
    tf.gfile.Remove(path("to"))
    assert not tf.gfile.Exists(path("to"))


def appends():
    write("log", b"one ")
    write("log", b"two ", "ab")
    with tf.gfile.GFile(path("log"), "ab") as file:
        for i in range(3):
            file.write(b"%d " % i)
            file.flush()
            assert read("log").endswith(b"%d " % i)
    assert read("log") == b"one two 0 1 2 "
    with tf.gfile.GFile(path("never"), "ab") as file:
        file.write(b"new")
    assert read("never") == b"new"


def large_files():
    data = np.random.RandomState(1).bytes(LARGE)
    write("large", data)
    assert tf.gfile.Stat(path("large")).length == LARGE
    assert read("large") == data
    with tf.gfile.GFile(path("large"), "rb") as file:
        for at in (LARGE - 10, 5, LARGE // 2, LARGE // 3):
            file.seek(at)
            assert file.read(1000) == data[at:at + 1000]
    write("large", b"tail", "ab")
    with tf.gfile.GFile(path("large"), "ab") as file:
        file.write(b"1")
        file.flush()
        file.write(data[:9_000_000])
        file.flush()
    assert read("large") == data + b"tail1" + data[:9_000_000]
    tf.gfile.Remove(path("large"))


def records():
    for compression in ("", "GZIP"):
        name = path(f"records{compression}")
        with tf.python_io.TFRecordWriter(name, compression) as writer:
            for i in range(1000):
                writer.write(b"%d" % i * 100)
        dataset = tf.data.TFRecordDataset(name, compression_type=compression).batch(1000)
        batch = tf.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            assert list(session.run(batch)) == [b"%d" % i * 100 for i in range(1000)]


def checkpoints():
    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=tf.random_normal([300, 300]))
        w = tf.get_variable("w", initializer=tf.zeros([7]))
        for sharded in (False, True):
            saver = tf.train.Saver(max_to_keep=2, sharded=sharded)
            folder = f"ckpt{sharded}"
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for step in range(4):
                    saver.save(session, path(folder, "model"), global_step=step)
                wanted = session.run([v, w])
            newest = tf.train.latest_checkpoint(path(folder))
            assert newest == path(folder, "model-3"), newest
            assert [os.path.basename(p) for p in tf.train.get_checkpoint_state(path(folder)).all_model_checkpoint_paths
                    ] == ["model-2", "model-3"]
            assert not [n for n in tf.gfile.ListDirectory(path(folder)) if "model-0" in n or "temp" in n]
            with tf.Session() as session:
                saver.restore(session, newest)
                np.testing.assert_array_equal(session.run(v), wanted[0])


def model():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        w = tf.get_variable("w", initializer=[[2.0], [3.0]])
        table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
            vocabulary(), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
        word = tf.placeholder(tf.string, [None], "word")
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        tf.saved_model.simple_save(session, path("model/1"), {"x": x, "word": word},
                                   {"y": tf.matmul(x, w), "id": table.lookup(word)},
                                   legacy_init_op=tf.tables_initializer())
    with tf.Session(graph=tf.Graph()) as session:
        tf.saved_model.load(session, ["serve"], path("model/1"))
        graph = session.graph
        inputs = {graph.get_tensor_by_name("x:0"): [[1, 1]], graph.get_tensor_by_name("word:0"): [b"b", b"z"]}
        y = session.run([t for t in graph.get_operations() if t.type == "MatMul"][0].outputs[0], inputs)
        assert y.tolist() == [[5.0]]


def vocabulary():
    write("words.txt", b"a\nb\nc\n")
    return path("words.txt")


def estimator():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", initializer=[1.0])
        loss = tf.reduce_mean(tf.square(features * w - labels))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        tf.summary.scalar("w", w[0])
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    def input_fn():
        return tf.data.Dataset.from_tensors((np.float32([1, 2]), np.float32([2, 4]))).repeat(20)

    config = tf.estimator.RunConfig(save_checkpoints_steps=10, save_summary_steps=5)
    made = tf.estimator.Estimator(model_fn, path("estimator"), config)
    made.train(input_fn)
    tf.estimator.Estimator(model_fn, path("estimator"), config).train(input_fn)
    result = made.evaluate(input_fn, steps=1)
    assert result["global_step"] == 40, result
    events = [e for name in tf.gfile.Glob(path("estimator/events*")) for e in tf.train.summary_iterator(name)]
    assert max(e.step for e in events) >= 36
    assert tf.gfile.Glob(path("estimator/eval/events*"))


def readers():
    write("lines.txt", b"one\ntwo\n")
    with tf.python_io.TFRecordWriter(path("two.records")) as writer:
        writer.write(b"first")
        writer.write(b"second")
    wanted = {tf.TextLineReader: ("lines.txt", [b"one", b"two"]), tf.TFRecordReader: ("two.records", [b"first", b"second"]),
              tf.WholeFileReader: ("lines.txt", [b"one\ntwo\n"])}
    for reader, (name, values) in wanted.items():
        with tf.Graph().as_default():
            queue = tf.train.string_input_producer([path(name)], num_epochs=1)
            key, value = reader().read(queue)
            with tf.train.MonitoredSession() as session:
                for one in values:
                    got_key, got = session.run([key, value])
                    assert got == one and got_key.startswith(path(name).encode()), (got_key, got)
    with tf.Graph().as_default(), tf.Session() as session:
        names = tf.data.make_one_shot_iterator(tf.data.Dataset.list_files(path("*.txt"), shuffle=False)).get_next()
        assert path("lines.txt").encode() in session.run(names)
        files = tf.data.TextLineDataset([path("lines.txt")] * 2).batch(9)
        assert session.run(tf.data.make_one_shot_iterator(files).get_next()).tolist() == [b"one", b"two"] * 2
        assert session.run(tf.io.matching_files(path("lin*.txt"))).tolist() == [path("lines.txt").encode()]
        session.run(tf.write_file(path("written"), "by an op"))
        assert session.run(tf.read_file(path("written"))) == b"by an op"


def warm_start():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer(1.0))
        loss = tf.reduce_mean(tf.square(features * w - labels))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, predictions=tf.identity(w), loss=loss, train_op=train)

    def input_fn():
        return tf.data.Dataset.from_tensors((np.float32([1, 2]), np.float32([2, 4]))).repeat(5)

    tf.estimator.Estimator(model_fn, path("first")).train(input_fn)
    second = tf.estimator.Estimator(model_fn, path("second"), warm_start_from=path("first"))
    second.train(input_fn, steps=1)
    assert second.get_variable_value("w")[0] > tf.train.load_variable(path("first"), "w")[0] > 1.2
    evaluating = (
        "import sys, numpy as np, rill as tf\n"
        "e = tf.estimator.Estimator(lambda features, labels, mode: tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum("
        "tf.get_variable('w', [2]))), sys.argv[1])\n"
        "r = e.evaluate(lambda: tf.data.Dataset.from_tensors((np.float32([1]), np.float32([1]))), steps=1)\n"
        "print(r['global_step'])")
    done = subprocess.run([sys.executable, "-c", evaluating, path("second")], capture_output=True, text=True, timeout=60)
    assert done.stdout == "1\n", done.stderr


def tools():
    rill = [sys.executable, "-m", "rill"]

    def run(*arguments):
        done = subprocess.run([*rill, *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout
    assert "300" in run("show", path("ckptFalse/model-3"))
    assert "serving_default" in run("show", path("model/1")) and "simple_value" in run("show", path("estimator"))
    run("check", path("model/1"))
    run("freeze", "--input_saved_model_dir", path("model/1"), "--output_graph", path("frozen.pb"))
    assert b"MatMul" in read("frozen.pb")
    run("check", path("frozen.pb"))
    assert "events" in run("ls", path("estimator"))


tf.logging.set_verbosity(tf.logging.ERROR)
for part in os.environ.get("STORE_PROGRAM_PARTS", "files lists copies appends large_files records checkpoints model "
                           "estimator readers warm_start tools").split():
    globals()[part]()
    print(part, flush=True)
print("whole")
