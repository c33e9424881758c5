#!/usr/bin/env python3
"""Checks that models of tf.keras in files travel between Rill and TensorFlow, both ways.

  interop_keras.py            by the Python of an environment with TensorFlow 2.15, as `./do interop` does
  interop_keras.py STEP DIR   one side's part of it: write, or read what the other side wrote
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = ROOT / "python"
RILL = {"PYTHONPATH": f"{PYTHON}:{PYTHON / 'compat'}", "PATH": "/usr/bin:/bin"}
TENSORFLOW = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}


def cases():
    """The module of cases, for whichever TensorFlow there is."""
    import keras_cases
    if hasattr(keras_cases.tf, "disable_v2_behavior"):
        keras_cases.tf.disable_v2_behavior()
    return keras_cases


def write(folder):
    module = cases()
    answers = {name: module.write(name, folder).tolist() for name in module.LAYERS}
    (folder / "answers.json").write_text(json.dumps(answers))


def complaint(module, name, folder, want):
    """What is wrong with a model that was read, or None."""
    try:
        for got in module.read(name, folder):
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    return None


def read(folder):
    module, answers = cases(), json.loads((folder / "answers.json").read_text())
    found = {name: complaint(module, name, folder, np.array(answers[name])) for name in module.LAYERS}
    print(json.dumps(found))


def run(python, environment, step, folder):
    return subprocess.run([python, __file__, step, folder], env=environment, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def main():
    if len(sys.argv) == 3:
        {"write": write, "read": read}[sys.argv[1]](pathlib.Path(sys.argv[2]))
        return 0
    sides = {"Rill": (str(ROOT / ".venv" / "bin" / "python"), RILL), "TensorFlow": (sys.executable, TENSORFLOW)}
    failed = 0
    for writer, reader in (("Rill", "TensorFlow"), ("TensorFlow", "Rill")):
        with tempfile.TemporaryDirectory() as folder:
            run(*sides[writer], "write", folder)
            found = json.loads(run(*sides[reader], "read", folder).splitlines()[-1])
        for name, wrong in found.items():
            if wrong:
                print(f"FAILED {reader} reads {writer}'s {name}: {wrong}", flush=True)
                failed += 1
        print(f"keras: {reader} reads {len(found)} models of {writer}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
