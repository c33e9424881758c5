"""The examples run as they are and reach what they promise."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISES = {
    "evaluation": (r"epoch 2: accuracy (\S+),", 0.65),
    "linear_regression": (r"y = (\S+) x", 2.9),
    "nearest_neighbor": (r"right: (\d+) of 100", 40),
    "word2vec": (r"word, (\d+)% are", 90),
}


@pytest.mark.parametrize("name", sorted(PROMISES))
def test_example(name):
    pattern, least = PROMISES[name]
    done = subprocess.run([ROOT / "bin" / "rill", "run", f"{name}.py"], cwd=ROOT / "examples",
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert float(re.search(pattern, done.stdout)[1]) >= least
