#!/usr/bin/env python3
"""Runs tests/programs under TensorFlow and stores what they did in tests/golden/programs.

  program_goldens.py [NAME...]    all programs when none is named; data_core is those of
                                  tests/programs/data_core.py, data_core.take its program_take alone

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does.
"""
import importlib
import json
import os
import pathlib
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf  # noqa: E402  (reads the environment when it is imported)

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

import golden_files  # noqa: E402

PROGRAMS = ROOT / "tests" / "programs"
GOLDEN = ROOT / "tests" / "golden" / "programs"


def main():
    tf.disable_v2_behavior()
    # Estimators read TensorFlow 2's names; they are imported before `tensorflow` means 1.x.
    importlib.import_module("tensorflow_estimator.python.estimator.estimator_lib")
    sys.modules["tensorflow"] = tf  # programs are written for TensorFlow 1
    sys.path.insert(0, str(PROGRAMS))
    import program
    names = sys.argv[1:] or sorted(p.stem for p in PROGRAMS.glob("*.py") if p.stem != "program")
    for name in names:
        name, _, one = name.partition(".")
        programs, path = program.load(PROGRAMS / f"{name}.py"), GOLDEN / f"{name}.json.gz"
        if one and one not in programs:
            raise SystemExit(f"tests/programs/{name}.py has no program_{one}")
        stored = json.loads(golden_files.read(path)) if one and path.exists() else {}
        result = {key: golden_of(name, key, run) if one in ("", key) else stored[key]
                  for key, run in programs.items() if one in ("", key) or key in stored}
        golden_files.write(path, one_line_each(result).encode())
        print(f"{name}: {len(result)} programs, "
              f"{sum(len(found['graph']) for found in result.values())} nodes")


def golden_of(name, key, run):
    try:
        return run()
    except Exception as error:
        raise SystemExit(f"{name}: {key}: {error}") from error


def one_line_each(result):
    """JSON with a line for each program, so that changes can be read."""
    lines = [f"{json.dumps(name)}: {json.dumps(found, sort_keys=True)}"
             for name, found in result.items()]
    return "{" + ",\n".join(lines) + "}\n"


if __name__ == "__main__":
    main()
