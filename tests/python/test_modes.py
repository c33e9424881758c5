"""Tests that strangers decorated for graphs and eager execution pass in both."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name, least", [("decorated", 26), ("contrib_eager", 7)])
def test_decorated_tests(name, least, tmp_path):
    done = subprocess.run([ROOT / "bin" / "rill", "run", ROOT / "tests" / "programs" / "modes" / f"{name}.py"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "\nOK" in done.stderr, done.stderr
    assert int(re.search(r"Ran (\d+) tests", done.stderr)[1]) >= least
