"""A dashboard in a process of its own, and logs for it. For tests alone."""
import json
import pathlib
import re
import subprocess
import urllib.parse
import urllib.request

import numpy as np

import rill as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"
HOSTILE = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>'\"&</script>"


def text_value(tag, text):
    value = tf.Summary.Value(tag=tag, tensor=tf.make_tensor_proto(text, tf.string))
    value.metadata.plugin_data.plugin_name = "text"
    return value


def write_run(folder, rate=0.1, steps=20, tag="loss", more=()):
    """Scalars, and further values at the last step."""
    writer = tf.summary.FileWriter(str(folder))
    for step in range(steps):
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=1 / (1 + rate * step))]), step)
    if more:
        writer.add_summary(tf.Summary(value=list(more)), steps)
    writer.close()


def write_everything(folder):
    """A run of a graph with all kinds of summaries, a trace and a checkpoint."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        with tf.name_scope("layer1"):
            h = tf.layers.dense(x, 8, tf.nn.relu)
        loss = tf.reduce_mean(tf.square(tf.layers.dense(h, 1, name="out") - 1), name="error")
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        tf.summary.scalar("loss", loss)
        tf.summary.scalar("group/double", 2 * loss)
        tf.summary.histogram("h", h)
        tf.summary.image("noise", tf.random_uniform([1, 8, 8, 3]), 1)
        tf.summary.audio("tone", tf.sin(tf.linspace(0., 99., 400))[None], 8000.)
        tf.summary.text("note", tf.constant("# Head\n\n**bold** text"))
        merged = tf.summary.merge_all()
        with tf.Session() as session:
            writer = tf.summary.FileWriter(str(folder), graph)
            session.run(tf.global_variables_initializer())
            for step in range(6):
                metadata = tf.RunMetadata()
                options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
                _, value = session.run([train, merged], {x: np.ones([2, 3])}, options=options, run_metadata=metadata)
                writer.add_summary(value, step)
            writer.add_run_metadata(metadata, "last step", step)
            tf.train.Saver().save(session, str(folder / "model.ckpt"))
            writer.close()


class Board:
    """`rill board` on a free port."""

    def __init__(self, *flags):
        self.process = subprocess.Popen([RILL, "board", "--port", "0", *map(str, flags)], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r" at (http\S+)", line)
        assert found, line
        self.url = found[1]
        self.base = self.url.split("?")[0]

    def fetch(self, path, data=None, headers=None, /, **parameters):
        query = urllib.parse.urlencode(parameters, doseq=True)
        request = urllib.request.Request(self.base + path + ("?" + query if query else ""), data, headers or {})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def ask(self, path, data=None, /, **parameters):
        return json.loads(self.fetch("data/" + path, None if data is None else json.dumps(data).encode(), **parameters))

    def wait(self):
        version = 0
        while not self.ask("rill/overview")["loaded"]:
            version = self.ask("rill/changes", version=version)["version"]
        return self

    def stop(self):
        self.process.terminate()
        self.process.stderr.close()
        assert self.process.wait(20) == 0
