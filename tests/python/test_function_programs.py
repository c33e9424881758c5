"""The programs of tests/functions print what they print under TensorFlow."""
import pathlib
import subprocess
import sys

import pytest

FUNCTIONS = pathlib.Path(__file__).resolve().parent.parent / "functions"
sys.path.insert(0, str(FUNCTIONS))
import runner  # noqa: E402

# In a process of its own, where TensorFlow 2's behavior is on from the beginning.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tensorflow as tf
tf.compat.v1.enable_v2_behavior()
import pathlib, runner
print(json.dumps(runner.outputs(pathlib.Path(sys.argv[2]))))
"""


@pytest.mark.parametrize("path", runner.files(), ids=lambda path: path.stem)
def test_prints_the_same(path):
    import json
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(FUNCTIONS), str(path)], capture_output=True, text=True,
                          check=True)
    found, wanted = json.loads(done.stdout.splitlines()[-1]), runner.golden(path)
    assert list(found) == list(wanted)
    differ = {name: (found[name], lines) for name, lines in wanted.items() if found[name] != lines}
    assert not differ
