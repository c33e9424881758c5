"""The examples run as they are and reach what they promise."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISES = {
    "autoencoder": (r"come out with (\S+) dB", 16),
    "evaluation": (r"epoch 2: accuracy (\S+),", 0.65),
    "gan": (r"step 3000 of 3000: judge (\S+),", 0.5),  # it cannot tell them apart
    "linear_regression": (r"y = (\S+) x", 2.9),
    "nearest_neighbor": (r"right: (\d+) of 100", 40),
    "recurrent": (r"unseen digits: (\S+)", 0.8),
    "saving": (r"as before: True\naccuracy on unseen digits: (\S+)", 0.8),
    "word2vec": (r"word, (\d+)% are", 90),
}
PICTURES = {"autoencoder", "gan"}


@pytest.mark.parametrize("name", sorted(PROMISES))
def test_example(name, tmp_path):
    pattern, least = PROMISES[name]
    done = subprocess.run([ROOT / "bin" / "rill", "run", f"{name}.py"], cwd=ROOT / "examples",
                          capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert float(re.search(pattern, done.stdout)[1]) >= least
    if name in PICTURES:
        assert (tmp_path / f"rill_{name}.png").read_bytes().startswith(b"\x89PNG")
