#!/usr/bin/env python3
"""Lets TensorFlow write models and logs of every kind into tests/golden/models, with what it reads there.

  model_goldens.py [FAMILY...]        all files of tools/model_cases when none is named
  model_goldens.py --into FOLDER      only writes files, and errors.json: for Rill's Python

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does. A case is a function
`case_NAME(folder)` that writes files and returns a question (tools/model_cases/reading.py); files go to
tests/golden/models/FAMILY/NAME, questions and TensorFlow's answers to tests/golden/models/FAMILY.json.
Families whose names begin with `tf2` are written by programs of TensorFlow 2.
"""
import contextlib
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "models"
CASES = ROOT / "tools" / "model_cases"
FAMILIES = sorted(path.stem for path in CASES.glob("*.py")
                  if path.stem not in ("__init__", "reading", "parts"))


def cases_of(family):
    """{name: function} of a family, in the order of the file."""
    module = importlib.import_module(f"model_cases.{family}")
    return {name.removeprefix("case_"): function for name, function in vars(module).items()
            if name.startswith("case_")}


@contextlib.contextmanager
def inside(folder):
    """Empties a folder and works there: paths that are written down are short and the same everywhere."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    before = pathlib.Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
    for i, path in enumerate(sorted(folder.glob("log/events.out.tfevents.*"))):
        path.rename(path.with_name(f"events.out.tfevents.{1500000000 + i}.host"))


def write_case(function, folder):
    """Runs a case in a graph of its own; returns its question."""
    import tensorflow.compat.v1 as tf
    with inside(folder), tf.Graph().as_default():
        return function(pathlib.Path())


def write_into(folder):
    """The cases of TensorFlow 1, whoever that is, and what went wrong with them."""
    sys.path.append(os.environ.get("TENSORBOARD", ""))  # last: nothing else is to be found there
    errors = {}
    for family in FAMILIES:
        if family.startswith("tf2"):
            continue
        for name, function in cases_of(family).items():
            try:
                write_case(function, folder / family / name)
            except Exception as error:
                errors[f"{family}/{name}"] = f"{type(error).__name__}: {error}"
    (folder / "errors.json").write_text(json.dumps(errors))


def write_tf2(family):
    """The questions of a family whose cases run eagerly, in a process of its own."""
    for name, function in cases_of(family).items():
        with inside(GOLDEN / family / name):
            question = function(pathlib.Path())
        (GOLDEN / family / name / "question.json").write_text(json.dumps(question))


def questions_of(family):
    if not family.startswith("tf2"):
        return {name: write_case(function, GOLDEN / family / name)
                for name, function in cases_of(family).items()}
    subprocess.run([sys.executable, __file__, "--write", family], check=True)
    questions = {}
    for path in sorted((GOLDEN / family).glob("*/question.json"), key=lambda path: path.parent.name):
        questions[path.parent.name] = json.loads(path.read_text())
        path.unlink()
    return questions


def make_family(family):
    from model_cases import reading
    shutil.rmtree(GOLDEN / family, ignore_errors=True)
    stored = {name: {"question": question, "answer": reading.answer(GOLDEN / family / name, question)}
              for name, question in questions_of(family).items()}
    lines = [f"{json.dumps(name)}: {json.dumps(found, sort_keys=True)}" for name, found in stored.items()]
    (GOLDEN / f"{family}.json").write_text("{" + ",\n".join(lines) + "}\n")
    print(f"{family}: {len(stored)} cases")


def main(arguments):
    if arguments[:1] == ["--write"]:
        return write_tf2(arguments[1])
    if arguments[:1] == ["--into"]:
        return write_into(pathlib.Path(arguments[1]).resolve())
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for family in arguments or FAMILIES:
        make_family(family)


if __name__ == "__main__":
    # Here, because the tests of Rill import this file and want to see what is logged.
    os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    main(sys.argv[1:])
