"""tf.keras.utils.get_file and what fetches its data by it, from a web server of the test."""
import gzip
import hashlib
import http.server
import io
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import threading
import zipfile

import numpy as np
import pytest

import tensorflow as tf

CONTENT = bytes(range(256)) * 400


class Handler(http.server.BaseHTTPRequestHandler):
    """Hands out the server's files; of "/broken" the connection ends early as often as the server says."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        if self.path == "/slow":
            server.hold.wait(30)
        if self.path.startswith("http://"):  # asked as a proxy
            self.path = "/file"
        if self.path not in server.files:
            return self.send_error(404)
        content, first, status = server.files[self.path], 0, 200
        given = self.headers.get("Range")
        if given and self.headers.get("If-Range") == server.tag:
            first, status = int(given.removeprefix("bytes=").rstrip("-")), 206
        if first > len(content):
            return self.send_error(416)
        self.send_response(status)
        self.send_header("Content-Length", str(len(content) - first))
        if server.tag:
            self.send_header("ETag", server.tag)
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        end = len(content)
        if server.breaks > 0:
            server.breaks -= 1
            end = first + (end - first) // 2
        self.wfile.write(content[first:end])
        return None

    def log_message(self, *_):
        """Quiet."""


@pytest.fixture
def server():
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.files, made.asked, made.breaks, made.tag = {"/file": CONTENT, "/empty": b""}, [], 0, '"one"'
    made.hold = threading.Event()
    made.url = f"http://127.0.0.1:{made.server_port}"
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.hold.set()
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def fetch(server, tmp_path):
    def get(path="/file", fname="f", **options):
        return pathlib.Path(tf.keras.utils.get_file(fname, server.url + path, cache_dir=str(tmp_path), **options))
    return get


def test_a_file_is_fetched_once(server, fetch, tmp_path, capsys):
    path = fetch()
    assert path == tmp_path / "datasets" / "f" and path.read_bytes() == CONTENT
    shown = capsys.readouterr().out
    assert f"Downloading data from {server.url}/file" in shown and f"{len(CONTENT)}/{len(CONTENT)} [" in shown
    assert fetch() == path and len(server.asked) == 1
    assert sorted(os.listdir(path.parent)) == ["f"]
    assert fetch("/empty", "e").read_bytes() == b""
    assert fetch(fname="g", cache_subdir="models").parent == tmp_path / "models"


def test_a_file_with_another_hash_is_fetched_anew(server, fetch):
    path = fetch()
    path.write_bytes(b"old")
    assert fetch().read_bytes() == b"old"
    for algorithm, options in (("md5", {"md5_hash": None}), ("sha256", {}), ("md5", {"hash_algorithm": "md5"})):
        path.write_bytes(b"old")
        wanted = hashlib.new(algorithm, CONTENT).hexdigest()
        assert fetch(**{**options, "file_hash": wanted}).read_bytes() == CONTENT
    asked = len(server.asked)
    fetch(file_hash=hashlib.sha256(CONTENT).hexdigest())
    assert len(server.asked) == asked
    with pytest.raises(tf.errors.DataLossError, match="has another hash"):
        fetch(fname="other", file_hash="0" * 64)


def test_a_connection_that_breaks_is_taken_up_again(server, fetch):
    server.breaks = 3
    assert fetch().read_bytes() == CONTENT
    assert [given is not None for _, given in server.asked] == [False, True, True, True]


def test_without_a_mark_of_the_file_it_is_fetched_from_its_beginning(server, fetch):
    server.breaks, server.tag = 1, None
    assert fetch().read_bytes() == CONTENT
    assert server.asked == [("/file", None), ("/file", None)]


def test_a_later_call_goes_on_where_one_ended(server, fetch, tmp_path):
    server.breaks = 100
    with pytest.raises(tf.errors.UnavailableError, match="broke off.*put this file at .*datasets/f"):
        fetch()
    assert not (tmp_path / "datasets" / "f").exists()
    server.breaks, begun = 0, len(server.asked)
    assert fetch().read_bytes() == CONTENT
    assert server.asked[begun:] == [("/file", server.asked[begun][1])] and server.asked[begun][1] is not None
    server.breaks = 100
    with pytest.raises(tf.errors.UnavailableError):
        fetch(fname="changed")
    server.breaks, server.tag, server.files["/file"] = 0, '"two"', b"new content"
    assert fetch(fname="changed").read_bytes() == b"new content"


def test_what_cannot_be_fetched_says_where_to_put_it(server, fetch, tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="URL fetch failure on .*/none.*404.*put this file at"):
        fetch("/none")
    with pytest.raises(tf.errors.UnavailableError) as caught:
        tf.keras.utils.get_file("y", "http://127.0.0.1:1/y", cache_dir=str(tmp_path))
    assert f"put this file at {tmp_path}/datasets/y" in str(caught.value)


def tar_file(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def test_archives_are_unpacked(server, fetch, tmp_path):
    long_name = "data/" + "n" * 120 + "/" + "m" * 130
    server.files["/t"] = tar_file({"data/a": b"1" * 1000, "data/b": b"", long_name: b"long"})
    folder = fetch("/t", "data", untar=True)
    assert folder == tmp_path / "datasets" / "data" and (folder / "a").read_bytes() == b"1" * 1000
    assert (folder / "b").read_bytes() == b"" and (folder.parent / long_name).read_bytes() == b"long"
    assert fetch("/t", "data", untar=True) == folder and len(server.asked) == 1
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("z/c", "text " * 100)
    server.files["/z"] = zipped.getvalue()
    assert fetch("/z", "z.zip", extract=True).name == "z.zip"
    assert (tmp_path / "datasets" / "z" / "c").read_text() == "text " * 100
    server.files["/evil"] = tar_file({"../outside": b"x"})
    with pytest.raises(tf.errors.InvalidArgumentError, match="outside"):
        fetch("/evil", "evil.tar.gz", extract=True)
    assert not (tmp_path / "outside").exists()
    assert fetch(fname="plain", extract=True).read_bytes() == CONTENT  # no archive: as TensorFlow


def test_two_processes_fetch_once(server, tmp_path):
    program = ("import sys, tensorflow as tf; "
               "tf.keras.utils.get_file('slow', sys.argv[1], cache_dir=sys.argv[2])")
    server.files["/slow"] = CONTENT
    started = [subprocess.Popen([sys.executable, "-c", program, server.url + "/slow", str(tmp_path)])
               for _ in range(3)]
    while not server.asked:
        pass
    server.hold.set()
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert (tmp_path / "datasets" / "slow").read_bytes() == CONTENT and len(server.asked) == 1


def test_an_interrupt_ends_it(server, tmp_path):
    program = ("import signal, sys, tensorflow as tf; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
               "try: tf.keras.utils.get_file('slow', sys.argv[1], cache_dir=sys.argv[2])\n"
               "except KeyboardInterrupt: print('interrupted')")
    process = subprocess.Popen([sys.executable, "-c", program, server.url + "/slow", str(tmp_path)],
                               stdout=subprocess.PIPE, text=True)
    while not server.asked:
        pass
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "interrupted\n"


def test_proxies_of_the_environment_are_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    path = tf.keras.utils.get_file("f", "http://nowhere.invalid/x", cache_dir=str(tmp_path))
    assert pathlib.Path(path).read_bytes() == CONTENT and server.asked[0][0] == "http://nowhere.invalid/x"


def test_data_sets_are_fetched(server, tmp_path, monkeypatch):
    from rill.keras.datasets import _files
    packed = io.BytesIO()
    np.savez(packed, x_train=np.ones((2, 3)), y_train=[1, 2], x_test=np.ones((1, 3)), y_test=[3])
    server.files["/mnist.npz"] = packed.getvalue()
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    monkeypatch.setattr(_files, "_ORIGIN", server.url + "/")
    with pytest.raises(tf.errors.DataLossError, match="mnist.npz"):
        tf.keras.datasets.mnist.load_data()
    (tmp_path / "datasets" / "mnist.npz").unlink()
    monkeypatch.setitem(_files._HASHES, "mnist.npz", hashlib.sha256(packed.getvalue()).hexdigest())
    (x, y), (_, y_test) = tf.keras.datasets.mnist.load_data()
    assert x.shape == (2, 3) and y.tolist() == [1, 2] and y_test.tolist() == [3]


def test_the_tutorials_digits_are_fetched(server, tmp_path):
    from tensorflow.examples.tutorials.mnist import input_data

    def idx(array):
        head = b"\0\0\x08" + bytes([array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
        return gzip.compress(head + array.astype(np.uint8).tobytes())
    for which, count in (("train", 6), ("t10k", 2)):
        server.files[f"/{which}-images-idx3-ubyte.gz"] = idx(np.full((count, 28, 28), 255))
        server.files[f"/{which}-labels-idx1-ubyte.gz"] = idx(np.arange(count))
    mnist = input_data.read_data_sets(str(tmp_path / "d"), source_url=server.url + "/", validation_size=1)
    assert mnist.train.images.shape == (5, 784) and mnist.test.labels.tolist() == [0, 1]
    assert len(os.listdir(tmp_path / "d")) == 4
