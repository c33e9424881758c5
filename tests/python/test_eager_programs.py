"""Programs computed eagerly, beside what TensorFlow computes eagerly: those of tests/programs and of its folder eager."""
import functools
import json
import os
import re
import subprocess
import sys

import pytest
from test_programs import PROGRAMS, TESTS, assert_same, golden_files, load_goldens, program

EAGER = PROGRAMS / "eager"
PACKAGES = [TESTS.parent / "python", TESTS.parent / "python" / "compat"]
PATHS = {path.stem: path for path in [*PROGRAMS.glob("*.py"), *EAGER.glob("*.py")]}
# What says that a program belongs to graphs; other errors are those of a later TensorFlow.
FOR_GRAPHS = re.compile(
    r"compatible with eager|supported when eager|meaningless|undefined when eager|support eager execution|"
    r"function when eager|in EAGER mode|graph is empty|eager execution is enabled")


@functools.cache
def otherwise():
    """{file: names} of what 1.15 does otherwise, or a graph beside."""
    rows = [line.split("\t") for line in (EAGER / "otherwise.tsv").read_text().splitlines() if not line.startswith("#")]
    return {stem: names.split(" ") for _, stem, names in rows}


@functools.cache
def goldens():
    """{file: {program: answer}} as TensorFlow gave them."""
    stored = json.loads(golden_files.read(TESTS / "golden" / "eager.json.gz"))
    return {stem: {name: {"values": load_goldens(PATHS[stem])[name]["values"]} if found is None else found
                   for name, found in answers.items()} for stem, answers in stored.items()}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What all files answer, one after the other in one process."""
    done = subprocess.run([sys.executable, EAGER / "run.py", *(PATHS[stem] for stem in sorted(goldens()))],
                          cwd=tmp_path_factory.mktemp("programs"),
                          env={**os.environ, "RILL_FSYNC": "0", "PYTHONPATH": os.pathsep.join(map(str, PACKAGES))},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400)
    assert done.returncode == 0, done.stderr[-2000:]
    return {one["file"]: one["programs"] for one in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("stem", sorted(goldens()))
def test_programs(stem, answers):
    assert answers[stem].keys() == goldens()[stem].keys(), f"run ./do goldens {stem}"
    for name, golden in goldens()[stem].items():
        ours, where = answers[stem][name], f"{stem}.{name}"
        if name in otherwise().get(stem, []):
            continue
        if "error" in golden:
            told = FOR_GRAPHS.search(golden["error"][1])
            assert not told or ours.get("error", [""])[0] == golden["error"][0], f"{where}: {golden['error']}, ours {ours}"
            continue
        assert "values" in ours, f"{where}: {ours['error']}"
        assert ours["values"].keys() == golden["values"].keys(), where
        for key, value in golden["values"].items():
            try:
                assert_same(program.restore(ours["values"][key]), program.restore(value))
            except AssertionError as error:
                raise AssertionError(f"{where}, {key}") from error


def test_many_programs_are_compared():
    def count(stems):
        return sum("values" in golden and name not in otherwise().get(stem, [])
                   for stem in stems for name, golden in goldens()[stem].items())
    own = {path.stem for path in EAGER.glob("*.py")} & goldens().keys()
    assert count(own) >= 400 and count(goldens().keys() - own) >= 1400
