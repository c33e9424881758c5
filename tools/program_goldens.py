#!/usr/bin/env python3
"""Runs tests/programs under TensorFlow and stores what they did in tests/golden/programs.

  program_goldens.py [NAME...]    all programs when none is named

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does.
"""
import json
import os
import pathlib
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf  # noqa: E402  (reads the environment when it is imported)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
GOLDEN = ROOT / "tests" / "golden" / "programs"


def main():
    tf.disable_v2_behavior()
    sys.modules["tensorflow"] = tf  # programs are written for TensorFlow 1
    sys.path.insert(0, str(PROGRAMS))
    import program
    names = sys.argv[1:] or sorted(p.stem for p in PROGRAMS.glob("*.py") if p.stem != "program")
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in names:
        result = program.run(PROGRAMS / f"{name}.py")
        text = json.dumps(result, indent=1, sort_keys=True)
        (GOLDEN / f"{name}.json").write_text(text + "\n")
        print(f"{name}: {len(result['graph'])} nodes, {len(result['values'])} values")


if __name__ == "__main__":
    main()
