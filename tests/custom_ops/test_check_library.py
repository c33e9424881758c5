"""rill check of a model with custom ops: unknown without their library, fine with it."""
import subprocess

import rill as tf
from building import ROOT


def test_check_with_library(attr_ops, compiler, tmp_path):
    attr_ops.describe_attrs(fn="Neg", name="custom")
    path = tmp_path / "g.pb"
    path.write_bytes(tf.get_default_graph().as_graph_def().SerializeToString())

    def check(*words):
        return subprocess.run([ROOT / "bin" / "rill", "check", *map(str, words)], capture_output=True, text=True)

    without = check(path)
    assert without.returncode == 1
    assert "DescribeAttrs is not known: no op of TensorFlow 1.15: a custom one" in without.stdout
    assert "\n    custom\n" in without.stdout
    done = check("--library", compiler.result("attr_ops.cc"), path)
    assert done.returncode == 0, done.stdout
