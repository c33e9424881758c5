"""Whole programs over small tables learn what they do under TensorFlow."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = pathlib.Path(os.environ.get("RILL_TABLES", ROOT.parent / "shared/data"))
LONG = pytest.mark.long


def reached(name):
    if not (TABLES / name).is_dir():
        pytest.skip(f"there is no {name} in {TABLES}; RILL_TABLES names another place")
    done = subprocess.run([ROOT / "bin" / "rill", "run", ROOT / "tests" / "tabular" / f"{name}.py", TABLES / name],
                          capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return float(re.search(r"[\d.]+", done.stdout.splitlines()[-1])[0])


def test_iris():
    assert reached("iris") >= 0.96


def test_boston():
    assert reached("boston") <= 4.5


@LONG
def test_census():
    assert reached("census") >= 0.84
