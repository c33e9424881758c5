"""Forty short programs in the manner of tutorials, in C++ and in Python: both print what TensorFlow does."""
import contextlib
import io
import pathlib
import subprocess
import sys

import pytest
import tensorflow.compat.v1 as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "tutorials"
NAMES = sorted(path.stem for path in FOLDER.glob("*.cc"))
BUILT = ROOT / "build" / "release" / "bin" / "rill_tutorials"

sys.path.insert(0, str(FOLDER))
import tutorial_goldens  # noqa: E402

TOLD = tutorial_goldens.read()


def assert_same(printed, name):
    lines, wanted = printed.splitlines(), TOLD[name]
    assert [line.partition(":")[0] for line in lines] == [line.partition(":")[0] for line in wanted]
    for line, known in zip(lines, wanted):
        words, told = line.split(), known.split()
        assert len(words) == len(told), line
        for word, value in zip(words, told):
            if word != value:  # a number; printed with four digits
                assert float(word) == pytest.approx(float(value), rel=2e-3, abs=2e-6), (line, known)


def test_there_are_forty():
    assert len(NAMES) >= 40
    assert sorted(TOLD) == NAMES == sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in tutorial_goldens.HELPERS)


@pytest.mark.skipif(not BUILT.exists(), reason="the tutorials are not built")
@pytest.mark.parametrize("name", NAMES)
def test_in_cpp(name, tmp_path):
    done = subprocess.run([BUILT, name], capture_output=True, text=True, timeout=60, env={"TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert_same(done.stdout, name)


@pytest.mark.parametrize("name", NAMES)
def test_in_python(name):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), tf.Graph().as_default():
        tutorial_goldens.run(name)
    assert_same(out.getvalue(), name)
