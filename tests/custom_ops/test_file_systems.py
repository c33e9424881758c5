"""tf.load_file_system_library: file systems that are written for TensorFlow's headers."""
import pytest

import rill as tf
from building import Compiler


@pytest.fixture(scope="module", autouse=True)
def notes(tmp_path_factory):
    compiler = Compiler(tmp_path_factory.mktemp("file_systems"))
    compiler.start("file_system.cc", 11)
    tf.load_file_system_library(compiler.result("file_system.cc"))


def test_files():
    with tf.gfile.GFile("notes://all/a", "w") as file:
        file.write("one\n")
    with tf.gfile.GFile("notes://all/a", "a") as file:
        file.write("two\n")
    assert list(tf.gfile.GFile("notes://all/a")) == ["one\n", "two\n"]
    assert tf.gfile.Stat("notes://all/a").length == 8
    tf.gfile.Copy("notes://all/a", "notes://all/b")
    tf.gfile.Rename("notes://all/b", "notes://all/c")
    assert tf.gfile.ListDirectory("notes://all") == ["a", "c"]
    assert tf.gfile.Glob("notes://all/*") == ["notes://all/a", "notes://all/c"]
    tf.gfile.Remove("notes://all/c")
    assert not tf.gfile.Exists("notes://all/c")
    with pytest.raises(tf.errors.NotFoundError, match="is no note"):
        tf.gfile.GFile("notes://all/c").read()
    with pytest.raises(tf.errors.UnimplementedError, match="no folders"):
        tf.gfile.MkDir("notes://other")


def test_steps_read_and_write_them():
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.io.write_file("notes://all/step", "by a step"))
        assert session.run(tf.io.read_file("notes://all/step")) == b"by a step"
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        session.run(v.initializer)
        path = tf.train.Saver().save(session, "notes://all/model", write_meta_graph=False, write_state=False)
        session.run(v.assign([0.0, 0.0]))
        tf.train.Saver().restore(session, path)
        assert session.run(v).tolist() == [1, 2]


def test_a_scheme_has_one_file_system():
    with pytest.raises(tf.errors.UnimplementedError, match="File system scheme 'other' not implemented"):
        tf.gfile.Exists("other://x")
        tf.gfile.GFile("other://x").read()
    with pytest.raises(tf.errors.NotFoundError):
        tf.load_file_system_library("/nowhere.so")
