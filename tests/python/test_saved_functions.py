"""Objects with functions are saved, loaded and served with the answers that they gave before."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "saved_functions" / "runner.py"


def run(program, *args):
    done = subprocess.run([sys.executable, *program, *map(str, args)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_what_is_written_is_read(tmp_path):
    """Each half in a process of its own: the second has nothing but the files."""
    assert run([str(RUNNER)], "write", tmp_path)[0] == 0
    status, said = run([str(RUNNER)], "read", tmp_path)
    assert status == 0, said


SERVED = """
import json, sys
import numpy as np
import tensorflow as tf
with tf.Session() as session:
    model = tf.saved_model.loader.load(session, ["serve"], sys.argv[1])
    signature = model.signature_def[sys.argv[2]]
    feeds = {signature.inputs[name].name: value for name, value in json.loads(sys.argv[3]).items()}
    print(json.dumps({name: np.asarray(session.run(info.name, feeds)).tolist()
                      for name, info in sorted(signature.outputs.items())}))
"""


@pytest.mark.parametrize("case, signature, feeds, wanted", [
    ("several_signatures", "serving_default", {"x": [1., 2.]}, {"scaled": [3., 6.]}),
    ("several_signatures", "difference", {"a": [3.], "b": [5.]}, {"c": [3.], "d": [2.]}),
    ("while", "serving_default", {"n": 27}, {"output_0": 111}),
    ("table", "serving_default", {"words": ["b", "x"]}, {"output_0": [2, -1]}),
    ("asset", "serving_default", {"words": ["fox"]}, {"ids": [2], "size": 3}),
])
def test_signatures_are_a_graph_too(case, signature, feeds, wanted, tmp_path):
    """As model servers and programs of version 1 load it: no objects, but nodes and an operation that fills tables."""
    assert run([str(RUNNER)], "write", tmp_path, case)[0] == 0
    (tmp_path / case / "words.txt").unlink(missing_ok=True)  # the model has a copy
    moved = tmp_path / "moved"
    (tmp_path / case / "model").rename(moved)
    status, said = run(["-c", SERVED], moved, signature, json.dumps(feeds))
    assert status == 0, said
    assert json.loads(said.splitlines()[-1]) == wanted


REFUSED = """
import tensorflow as tf
tf.enable_v2_behavior()

class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def f(self, x):
        return x * hidden

    @tf.function
    def untraced(self, x):
        return x

hidden = tf.Variable(2.)
for call in (lambda: tf.saved_model.save(Model(), "/nowhere/never"), lambda: tf.saved_model.save(3, "m"),
             lambda: tf.saved_model.save(tf.Module(), "m", signatures=Model().untraced)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, "'untracked' resource" in str(error), "Trackable" in str(error),
              "input signature" in str(error))
"""


def test_what_cannot_be_saved_says_so(tmp_path):
    done = subprocess.run([sys.executable, "-c", REFUSED.replace("/nowhere/never", str(tmp_path / "m"))],
                          capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.splitlines() == ["AssertionError True False False", "ValueError False True False",
                                        "ValueError False False True"], done.stderr
