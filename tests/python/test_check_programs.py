"""`rill check` beside the truth: programs that run, and names that are not there."""
import json
import operator
import pathlib
import subprocess

import pytest

import tensorflow as tf
from rill import _check, _module_paths
from rill import _api_compare as compare
from rill._check_uses import uses_in

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 0.01  # of the uses


@pytest.fixture(scope="module")
def checker():
    return _check.Checker(tf)


def verdicts(checker, text):
    return {use.path: checker.check(use) for use in uses_in(text)}


def test_programs_that_run_raise_no_alarm(checker):
    programs = [*ROOT.glob("tests/programs/**/*.py"), *ROOT.glob("examples/*.py"), *ROOT.glob("tests/mnist/*.py")]
    uses = [use for path in programs for use in uses_in(path.read_text())]
    alarms = [(use, checker.check(use)) for use in uses if checker.check(use)[0] != compare.SAME]
    assert len(uses) > 10000 and len(alarms) <= LIMIT * len(uses), alarms


def absent_names():
    """The names of TensorFlow 1.15 that raise when they are asked for, contrib's included."""
    facts = compare.read_facts()
    comparison = compare.Comparison(tf, facts)
    for fact in facts.values():
        if fact.kind in ("function", "class") and comparison.look_at(fact).status == compare.MISSING:
            yield fact.symbol
    for module, names in _module_paths._contrib_names().items():
        for name in names:
            try:
                operator.attrgetter(f"{module}.{name}")(tf)
            except (AttributeError, ImportError):
                yield f"tf.{module}.{name}"


def test_names_that_are_not_there_are_told(checker):
    absent = sorted(absent_names())
    forms = ["import tensorflow as tf\n" + "\n".join(f"{name}(1)" for name in absent),
             "\n".join("from tensorflow{} import {} as x{}".format(*name[2:].rpartition(".")[::2], i)
                       for i, name in enumerate(absent))]
    for text in forms:
        told = verdicts(checker, text)
        missed = [path for path, (status, _) in told.items() if status == compare.SAME]
        assert len(told) >= len(absent) and len(missed) <= LIMIT * len(told), missed


@pytest.mark.parametrize("line", [
    "tf.enable_v2_behavior()",
    "tf.contrib.layers.nonsense(1)", "tf.contrib.nonsense",
    "tf.keras.utils.convert_all_kernels_in_model(1)", "tf.pack([1])", "tf.train.SummaryWriter('x')"])
def test_what_fails_when_it_is_called_is_told(checker, line):
    [(status, why)] = verdicts(checker, "import tensorflow as tf\n" + line).values()
    ran = subprocess.run([ROOT / "bin" / "rill", "run", "-c", "import tensorflow as tf\n" + line], capture_output=True)
    assert (status == compare.SAME) == (ran.returncode == 0) == (not why), (status, why, ran.stderr)


def test_a_programs_own_names_are_left_alone(checker):
    told = verdicts(checker, """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
nn = tf.nn
FLAGS = tf.app.flags.FLAGS
tf.flags.DEFINE_string("own", "", "")
print(FLAGS.own.split(","), tf.flags.FLAGS.other, tf.flags.FLAGS.flag_values_dict().nonsense)
mnist = input_data.read_data_sets(FLAGS.data_dir)
mnist.train.next_batch(100)
def f(nn, *tf): return nn.nonsense + tf.nonsense
g = lambda nn: nn.nonsense
for nn in []: nn.nonsense
nn = dict(); nn.nonsense
with open("x") as tf: tf.nonsense
""")
    assert {status for status, _ in told.values()} == {compare.SAME}, told


def test_missing_names_do_not_mislead():
    """Python guesses another name only for what TensorFlow does not have either."""
    def said(text):
        done = subprocess.run([ROOT / "bin" / "rill", "run", "-c", "import tensorflow as tf\n" + text],
                              capture_output=True, text=True)
        return done.stderr.strip().splitlines()[-1]
    for absent in sorted(absent_names())[::400]:  # some of them
        assert said(absent).endswith("': Rill does not have it yet"), absent
    assert said("tf.pack").endswith(
        "it is tf.stack since TensorFlow 1.0 (`rill upgrade` rewrites programs that were written for older ones)")
    assert "tf.summary.FileWriter since" in said("tf.train.SummaryWriter('x')")
    assert said("tf.reduce_summ").endswith("has no attribute 'reduce_summ'. Did you mean: 'reduce_sum'?")
    assert "Rill does not have it yet" in said("from tensorflow.python.ops import math_ops; math_ops.nonsense")


def test_old_names_have_names_that_are_there():
    from rill import _absent
    facts = compare.read_facts()
    for old, new in _absent.old_names().items():
        assert f"tf.{new}" in facts or new.startswith("contrib."), old
        assert "." in old or hasattr(tf, old) == (f"tf.{old}" in facts), old


def test_json_tells_the_same(tmp_path):
    program = tmp_path / "p.py"
    program.write_text("import tensorflow as tf\ntf.pack([tf.constant(1)])\n")
    done = subprocess.run([ROOT / "bin" / "rill", "check", "--json", program], capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert done.returncode == 1 and report["wrong"] == 1 and report["checked"] == 2
    assert report["uses"][0]["why"] == "it is tf.stack since TensorFlow 1.0"
