"""`rill upgrade`: programs for TensorFlow 0.x and Python 2, and what becomes of them."""
import pathlib
import subprocess

import pytest

from rill import _upgrade
from rill._upgrade_python import CannotUpgrade

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "import tensorflow as tf\n"


def rill(*arguments):
    return subprocess.run([ROOT / "bin" / "rill", *map(str, arguments)], capture_output=True, text=True)


def upgraded(text, head=HEAD):
    return _upgrade.upgraded(head + text)[0].removeprefix(head)


@pytest.mark.parametrize("old, new", [
    ("tf.pack([a, b])", "tf.stack([a, b])"),
    ("tf.unpack(x, axis=1)", "tf.unstack(x, axis=1)"),
    ("tf.mul(tf.sub(a, b), tf.neg(c))", "tf.multiply(tf.subtract(a, b), tf.negative(c))"),
    ("f = tf.mul", "f = tf.multiply"),
    ("tf.concat(0, [a, b])", "tf.concat(axis=0, values=[a, b])"),
    ("tf.concat(-1, xs, name='c')", "tf.concat(axis=-1, values=xs, name='c')"),
    ("tf.concat(concat_dim=1, values=xs)", "tf.concat(axis=1, values=xs)"),
    ("tf.concat(axis, xs)", "tf.concat(axis=axis, values=xs)"),
    ("tf.concat(n, [a, b])", "tf.concat(axis=n, values=[a, b])"),
    ("tf.concat([a, b], 0)", "tf.concat([a, b], 0)"),
    ("tf.concat(xs, 1)", "tf.concat(xs, 1)"),
    ("tf.concat(tf.unpack(x), 0)", "tf.concat(tf.unstack(x), 0)"),
    ("tf.concat(1, [tf.concat(0, (a, b)), tf.pack(c)])",
     "tf.concat(axis=1, values=[tf.concat(axis=0, values=(a, b)), tf.stack(c)])"),
    ("tf.split(1, 4, x)", "tf.split(axis=1, num_or_size_splits=4, value=x)"),
    ("tf.split(split_dim=0, num_split=n, value=x)", "tf.split(axis=0, num_or_size_splits=n, value=x)"),
    ("tf.split(x, 4, 1)", "tf.split(x, 4, 1)"),
    ("tf.split(x, 4)", "tf.split(x, 4)"),
    ("tf.reduce_sum(x, reduction_indices=[1], keep_dims=True)", "tf.reduce_sum(x, axis=[1], keepdims=True)"),
    ("tf.reduce_mean(x, 1)", "tf.reduce_mean(x, 1)"),
    ("tf.argmax(x, dimension=1)", "tf.argmax(x, axis=1)"),
    ("tf.expand_dims(x, dim=0)", "tf.expand_dims(x, axis=0)"),
    ("tf.squeeze(x, squeeze_dims=[0])", "tf.squeeze(x, axis=[0])"),
    ("tf.nn.softmax_cross_entropy_with_logits(y, y_)", "tf.nn.softmax_cross_entropy_with_logits(logits=y, labels=y_)"),
    ("tf.nn.softmax_cross_entropy_with_logits((a + b), y_)",
     "tf.nn.softmax_cross_entropy_with_logits(logits=(a + b), labels=y_)"),
    ("tf.nn.sparse_softmax_cross_entropy_with_logits(\n    y,\n    y_,\n    name='x')",
     "tf.nn.sparse_softmax_cross_entropy_with_logits(\n    logits=y,\n    labels=y_,\n    name='x')"),
    ("tf.nn.sigmoid_cross_entropy_with_logits(y, targets=y_)",
     "tf.nn.sigmoid_cross_entropy_with_logits(logits=y, labels=y_)"),
    ("tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b)",
     "tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b)"),
    ("tf.scalar_summary('loss', loss)", "tf.summary.scalar('loss', loss)"),
    ("tf.scalar_summary(tags='loss', values=loss)", "tf.summary.scalar(name='loss', tensor=loss)"),
    ("tf.image_summary('i', x, max_images=3)", "tf.summary.image(name='i', tensor=x, max_outputs=3)"),
    ("tf.merge_all_summaries()", "tf.summary.merge_all()"),
    ("tf.train.SummaryWriter(d, sess.graph)", "tf.summary.FileWriter(d, sess.graph)"),
    ("tf.initialize_all_variables().run()", "tf.global_variables_initializer().run()"),
    ("tf.batch_matmul(a, b, adj_y=True)", "tf.matmul(a, b, adjoint_b=True)"),
    ("tf.select(c, a, b)", "tf.where(c, a, b)"),
    ("v = tf.get_variable('v', [1], initializer=tf.zeros_initializer)",
     "v = tf.get_variable('v', [1], initializer=tf.zeros_initializer())"),
    ("tf.get_variable('v', [1], initializer=tf.zeros_initializer())",
     "tf.get_variable('v', [1], initializer=tf.zeros_initializer())"),
    ("with tf.op_scope([x], name, 'f'): pass", "with tf.name_scope(values=[x], name=name, default_name='f'): pass"),
    ("'tf.pack'  # tf.pack\nother.pack(x); pack = 1", "'tf.pack'  # tf.pack\nother.pack(x); pack = 1"),
    ("s = 'ä€'; t = tf.pack([s, 'ö'])", "s = 'ä€'; t = tf.stack([s, 'ö'])"),
    ("for i in xrange(3): pass", "for i in range(3): pass"),
    ("for k, v in d.iteritems(): pass", "for k, v in d.items(): pass"),
    ("def xrange(n): pass\nxrange(3)", "def xrange(n): pass\nxrange(3)"),
    ("import cPickle\ncPickle.load(f)", "import pickle as cPickle\ncPickle.load(f)"),
    ("print 'a', tf.pack([1])", "print('a', tf.stack([1]))"),
    ("print 'a',", "print('a', end=' ')"),
    ("print >>sys.stderr, 'a'", "print('a', file=sys.stderr)"),
    ("try: f()\nexcept E, e: print e", "try: f()\nexcept E as e: print(e)"),
    ("x = 0777; y = 10L; z = a <> b; raise E, 'x'", "x = 0o777; y = 10; z = a != b; raise E('x')"),
    ("print('a', 'b')", "print('a', 'b')"),
])
def test_lines(old, new):
    assert upgraded(old).rstrip("\n") == new
    assert upgraded(new).rstrip("\n") == new  # and once more changes nothing


@pytest.mark.parametrize("head, old, new", [
    ("import tensorflow\n", "tensorflow.pack(x)", "tensorflow.stack(x)"),
    ("import tensorflow as t\n", "t.train.SummaryWriter(x)", "t.summary.FileWriter(x)"),
    ("import torch as tf\n", "tf.mul(a, b)", "tf.mul(a, b)"),
    ("from __future__ import print_function\nimport tensorflow as tf\n", "print(tf.mul(a, b))",
     "print(tf.multiply(a, b))")])
def test_tensorflow_by_other_names(head, old, new):
    assert upgraded(old, head) == new


def test_names_that_are_imported():
    assert upgraded("from tensorflow import pack, constant\npack(x)", "") == \
        "from tensorflow import stack as pack, constant\npack(x)"


def test_remarks_say_where_to_look():
    remarks = _upgrade.upgraded(HEAD + "tf.reverse(x, [True])\ntf.concat(a, b)\ntf.split(*args)\n"
                                "from tensorflow import scalar_summary\n")[2]
    assert [line for line, _ in remarks] == [2, 3, 5] and "nobody can tell" in remarks[1][1]
    with pytest.raises(CannotUpgrade, match="neither as Python 3 nor as Python 2"):
        _upgrade.upgraded("def (:\n")


PROGRAM = HEAD + """
x = tf.placeholder(tf.float32, [2, 2])
y = tf.concat(1, tf.unpack(tf.pack([x, x])))
a, b = tf.split(1, 2, y)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(a, tf.sub(b, tf.mul(x, 0.5))))
tf.scalar_summary("loss", loss)
v = tf.get_variable("v", [1], initializer=tf.zeros_initializer)
with tf.Session() as sess:
\tsess.run(tf.initialize_all_variables())
\tfor i in xrange(1):
\t\tprint "%.4f" % sess.run(loss, {x: [[1, 2], [3, 4]]})
"""


def test_a_program_runs_afterwards(tmp_path):
    path = tmp_path / "old.py"
    path.write_text(PROGRAM)
    assert rill("run", path).returncode == 1 and rill("check", path).returncode == 1
    shown = rill("upgrade", "--diff", path)
    assert shown.returncode == 0 and "+y = tf.concat(axis=1, values=tf.unstack(tf.stack([x, x])))" in shown.stdout
    assert path.read_text() == PROGRAM
    path.chmod(0o754)
    done = rill("upgrade", "--in-place", path)
    assert done.returncode == 0 and done.stdout == "" and f"{path}:4: tf.pack is tf.stack" in done.stderr
    assert path.stat().st_mode & 0o777 == 0o754 and [p.name for p in tmp_path.iterdir()] == ["old.py"]
    ran = rill("run", path)
    assert (ran.returncode, ran.stdout) == (0, "1.7832\n"), ran.stderr
    assert rill("check", path).returncode == 0
    assert rill("upgrade", path).stdout == path.read_text()


def test_files_keep_their_form(tmp_path):
    path = tmp_path / "p.py"
    path.write_bytes("# -*- coding: latin-1 -*-\r\nimport tensorflow as tf\r\ns = 'é'\r\ntf.pack(s)\r\n".encode("latin-1"))
    assert rill("upgrade", "--in-place", path).returncode == 0
    assert path.read_bytes() == \
        "# -*- coding: latin-1 -*-\r\nimport tensorflow as tf\r\ns = 'é'\r\ntf.stack(s)\r\n".encode("latin-1")


def test_the_command_line(tmp_path):
    assert rill("upgrade").returncode == 2
    done = rill("upgrade", tmp_path / "absent.py")
    assert done.returncode == 1 and "absent.py" in done.stderr and "Traceback" not in done.stderr
    (tmp_path / "bad.py").write_text("def (:\n")
    done = rill("upgrade", tmp_path / "bad.py")
    assert done.returncode == 1 and "neither as Python 3 nor as Python 2" in done.stderr
