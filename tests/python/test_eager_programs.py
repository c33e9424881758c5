"""Programs computed eagerly, beside what TensorFlow computes eagerly: those of tests/programs and of its folder eager."""
import functools
import json
import sys

import pytest
import tensorflow as tf
from tensorflow.python.eager import context
from test_programs import PROGRAMS, TESTS, assert_same, golden_files, load_goldens, program

sys.path.append(str(PROGRAMS / "eager"))

import run  # noqa: E402

PATHS = {path.stem: path for path in [*PROGRAMS.glob("*.py"), *(PROGRAMS / "eager").glob("*.py")]}

# What 1.15 does otherwise than 2.15.
OTHERWISE = {}


@functools.cache
def goldens():
    return json.loads(golden_files.read(TESTS / "golden" / "eager.json.gz"))


def golden_of(stem, name):
    """What TensorFlow answers: values, or an error's class and message."""
    found = goldens()[stem][name]
    return {"values": load_goldens(PATHS[stem])[name]["values"]} if found is None else found


@pytest.mark.parametrize("stem", sorted(goldens()))
def test_programs(stem, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with context.eager_mode():
        answers = run.answers(tf, PATHS[stem])
    assert answers.keys() == goldens()[stem].keys(), f"run ./do goldens {stem}"
    for name, ours in answers.items():
        if f"{stem}.{name}" in OTHERWISE:
            continue
        golden = golden_of(stem, name)
        if "error" in golden:
            assert ours.get("error", [""])[0] == golden["error"][0], f"{stem}.{name}: {golden['error']}, ours {ours}"
            continue
        assert "values" in ours, f"{stem}.{name}: {ours['error']}"
        assert ours["values"].keys() == golden["values"].keys(), f"{stem}.{name}"
        for key, value in golden["values"].items():
            try:
                assert_same(program.restore(ours["values"][key]), program.restore(value))
            except AssertionError as error:
                raise AssertionError(f"{stem}.{name}, {key}") from error


def test_many_programs_are_compared():
    def count(stems):
        return sum("values" in golden_of(stem, name) and f"{stem}.{name}" not in OTHERWISE
                   for stem in stems for name in goldens()[stem])
    own = {path.stem for path in (PROGRAMS / "eager").glob("*.py")} & goldens().keys()
    assert count(own) >= 300 and count(goldens().keys() - own) >= 1000
