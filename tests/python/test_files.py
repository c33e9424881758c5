import os
import pathlib

import pytest

import rill as tf


def test_text_and_bytes(tmp_path):
    path = tmp_path / "a"
    with tf.gfile.GFile(path, "w") as file:
        file.write("grün\n")
        file.write(b"zwei")
        assert file.tell() == 10
    assert tf.gfile.GFile(str(path)).read() == "grün\nzwei"
    assert tf.gfile.Open(str(path), "rb").read() == "grün\nzwei".encode()
    with tf.gfile.FastGFile(path) as file:
        assert (file.name, file.mode, file.size(), file.seekable()) == (path, "r", 10, True)
        assert list(file) == ["grün\n", "zwei"]
        assert file.read() == ""
        file.seek(position=2)
        assert file.tell() == 2
        file.seek(-4, whence=2)
        assert file.readline() == "zwei"
        file.seek(offset=0)
        assert file.next() == "grün\n" and file.readlines() == ["zwei"]
        file.seek(0)


def test_wrong_uses_of_files(tmp_path):
    path = str(tmp_path / "a")
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        tf.gfile.GFile(path).read()
    with pytest.raises(tf.errors.InvalidArgumentError, match="mode is not 'r' or 'w'"):
        tf.gfile.GFile(path, "rw")
    with tf.gfile.GFile(path, "w") as file:
        with pytest.raises(tf.errors.PermissionDeniedError, match="File isn't open for reading"):
            file.read()
        file.write("x")
    with tf.gfile.GFile(path) as file:
        with pytest.raises(tf.errors.PermissionDeniedError, match="File isn't open for writing"):
            file.write("x")
        for arguments in ({}, {"offset": 1, "position": 1}):
            with pytest.raises(TypeError, match="seek"):
                file.seek(**arguments)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid whence argument: 3"):
            file.seek(0, 3)
        with pytest.raises(tf.errors.InvalidArgumentError):
            file.seek(-1)


def test_appending_and_both(tmp_path):
    path = str(tmp_path / "a")
    with tf.gfile.GFile(path, "w+") as file:
        file.write("one")
        file.flush()
        assert file.read() == "one"
    with tf.gfile.GFile(path, "a") as file:
        assert file.tell() == 3
        file.write("two")
    assert tf.gfile.GFile(path).read() == "onetwo"


@pytest.mark.parametrize("api", ["old", "new"])
@pytest.mark.parametrize("scheme", ["local", "ram://"])
def test_directories(api, scheme, tmp_path):
    root = str(tmp_path / "r") if scheme == "local" else "ram://test_directories" + api
    old, new = tf.gfile, tf.io.gfile
    calls = {"makedirs": (old.MakeDirs, new.makedirs), "mkdir": (old.MkDir, new.mkdir),
             "exists": (old.Exists, new.exists), "isdir": (old.IsDirectory, new.isdir),
             "listdir": (old.ListDirectory, new.listdir), "copy": (old.Copy, new.copy),
             "rename": (old.Rename, new.rename), "remove": (old.Remove, new.remove),
             "rmtree": (old.DeleteRecursively, new.rmtree), "glob": (old.Glob, new.glob),
             "walk": (old.Walk, new.walk), "stat": (old.Stat, new.stat)}
    f = {name: functions[api == "new"] for name, functions in calls.items()}
    join = os.path.join
    f["makedirs"](join(root, "a", "b"))
    f["mkdir"](join(root, "c"))
    f["mkdir"](join(root, "c"))
    with tf.io.gfile.GFile(join(root, "a", "x.txt"), "w") as file:
        file.write("1234")
    f["copy"](join(root, "a", "x.txt"), join(root, "c", "y.txt"))
    with pytest.raises(tf.errors.AlreadyExistsError):
        f["copy"](join(root, "a", "x.txt"), join(root, "c", "y.txt"))
    f["copy"](join(root, "a", "x.txt"), join(root, "c", "y.txt"), overwrite=True)
    f["rename"](join(root, "c", "y.txt"), join(root, "c", "z.txt"))
    assert f["exists"](join(root, "c", "z.txt")) and not f["exists"](join(root, "c", "y.txt"))
    assert f["isdir"](root) and not f["isdir"](join(root, "a", "x.txt")) and not f["isdir"](join(root, "no"))
    assert sorted(f["listdir"](root)) == ["a", "c"]
    assert f["glob"](join(root, "*", "*.txt")) == [join(root, "a", "x.txt"), join(root, "c", "z.txt")]
    assert f["glob"]([join(root, "c", "*"), join(root, "no*")]) == [join(root, "c", "z.txt")]
    facts = f["stat"](join(root, "a", "x.txt"))
    assert facts.length == 4 and not facts.is_directory and facts.mtime_nsec >= 0
    walked = [(top.removeprefix(root), dirs, files) for top, dirs, files in f["walk"](root)]
    assert walked == [("", ["a", "c"], []), ("/a", ["b"], ["x.txt"]), ("/a/b", [], []), ("/c", [], ["z.txt"])]
    assert [top.removeprefix(root) for top, _, _ in f["walk"](root, False)] == ["/a/b", "/a", "/c", ""]
    assert list(f["walk"](join(root, "no"))) == []
    with pytest.raises(tf.errors.NotFoundError, match="Could not find directory"):
        f["listdir"](join(root, "no"))
    f["remove"](join(root, "c", "z.txt"))
    with pytest.raises(tf.errors.NotFoundError):
        f["remove"](join(root, "c", "z.txt"))
    f["rmtree"](root)
    assert not f["exists"](root)


def test_walk_reports_errors(tmp_path):
    seen = []
    assert list(tf.io.gfile.walk(str(tmp_path / "no"), onerror=seen.append)) == []
    assert isinstance(seen[0], tf.errors.NotFoundError)


def test_walk_may_be_pruned(tmp_path):
    tf.gfile.MakeDirs(str(tmp_path / "a" / "b"))
    tops = []
    for top, directories, _ in tf.gfile.Walk(tmp_path):
        tops.append(pathlib.Path(top).name)
        directories[:] = [name for name in directories if name != "b"]
    assert tops == [tmp_path.name, "a"]


@pytest.mark.parametrize("options", [None, "ZLIB", tf.io.TFRecordCompressionType.GZIP,
                                     tf.io.TFRecordOptions("GZIP", compression_level=1, mem_level=5)])
def test_records(options, tmp_path):
    path = str(tmp_path / "r")
    with tf.io.TFRecordWriter(path, options) as writer:
        for i in range(5):
            writer.write(b"record %d" % i)
        writer.flush()
    assert list(tf.python_io.tf_record_iterator(path, options)) == [b"record %d" % i for i in range(5)]


def test_wrong_records(tmp_path):
    path = tmp_path / "r"
    with pytest.raises(ValueError, match='Not a valid compression_type: "LZ4"'):
        tf.io.TFRecordOptions("LZ4")
    with pytest.raises(tf.errors.NotFoundError):
        list(tf.io.tf_record_iterator(str(path)))
    with tf.io.TFRecordWriter(str(path)) as writer:
        writer.write(b"x" * 100)
        with pytest.raises(TypeError):
            writer.write("text")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(tf.errors.DataLossError, match="truncated record"):
        list(tf.io.tf_record_iterator(str(path)))
    with pytest.raises(tf.errors.FailedPreconditionError):
        writer.write(b"closed")


def test_write_graph(tmp_path):
    tf.constant(1.0, name="c")
    graph = tf.get_default_graph()
    text = tf.train.write_graph(graph, str(tmp_path / "new"), "g.pbtxt")
    assert text == str(tmp_path / "new" / "g.pbtxt") and 'name: "c"' in pathlib.Path(text).read_text()
    path = tf.io.write_graph(graph.as_graph_def(), str(tmp_path), "g.pb", as_text=False)
    assert tf.GraphDef.FromString(pathlib.Path(path).read_bytes()).node[0].name == "c"


@pytest.fixture
def server(tmp_path):
    """A web server that hands out a folder."""
    import functools
    import http.server
    import threading

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_address[1]}"
    made.shutdown()


def test_files_of_a_web_server(server, tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    with tf.io.TFRecordWriter(str(tmp_path / "records"), "GZIP") as writer:
        writer.write(b"record")
    file = tf.gfile.GFile(server + "/a.txt")
    assert file.size() == 8 and file.readlines() == ["one\n", "two\n"]
    file.seek(4)
    assert file.read(2) == "tw" and file.tell() == 6
    assert tf.gfile.Exists(server + "/a.txt") and not tf.gfile.Exists(server + "/none")
    assert tf.gfile.Stat(server + "/a.txt").length == 8
    assert list(tf.io.tf_record_iterator(server + "/records", "GZIP")) == [b"record"]
    tf.gfile.Copy(server + "/a.txt", str(tmp_path / "copy"))
    assert (tmp_path / "copy").read_text() == "one\ntwo\n"
    for refused in (lambda: tf.gfile.GFile(server + "/new", "w").write("x"), lambda: tf.gfile.Remove(server + "/a.txt"),
                    lambda: tf.gfile.MkDir(server + "/new")):
        with pytest.raises((tf.errors.UnimplementedError, tf.errors.PermissionDeniedError)):
            refused()
    with pytest.raises(tf.errors.NotFoundError):
        tf.gfile.GFile(server + "/none").read()
