"""Whole programs over the MNIST digits train as they do under TensorFlow."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = pathlib.Path(os.environ.get("RILL_MNIST", ROOT.parent / "shared/data/mnist"))
# What the last line of a program must reach: at least so much for an accuracy, at most for a loss.
ACCURACY = {"softmax": 0.91, "mlp": 0.96, "cnn": 0.985, "estimator": 0.98, "lstm_dynamic": 0.95, "lstm_static": 0.95,
            "lstm_bidirectional": 0.95}
LOSS = {"autoencoder": 0.03, "vae": 190.0, "gan": 20.0, "dcgan": 20.0}

pytestmark = [pytest.mark.long, pytest.mark.skipif(
    not DIGITS.is_dir(), reason=f"the MNIST digits are not at {DIGITS}; RILL_MNIST names another place")]


def last_numbers(name):
    program = ROOT / "tests" / "mnist" / f"{name}.py"
    done = subprocess.run([ROOT / "bin" / "rill", "run", program, DIGITS], capture_output=True, text=True,
                          timeout=1800)
    assert done.returncode == 0, done.stderr
    return [float(number) for number in re.findall(r"[\d.]+(?:e-?\d+)?|nan|inf", done.stdout.splitlines()[-1])]


@pytest.mark.parametrize("name", sorted(ACCURACY))
def test_accuracy(name):
    assert last_numbers(name)[0] >= ACCURACY[name]


@pytest.mark.parametrize("name", sorted(LOSS))
def test_does_not_diverge(name):
    for value in last_numbers(name):
        assert 0 <= value <= LOSS[name]
