#!/usr/bin/env python3
"""Runs tests/flow under TensorFlow and stores nodes and values in tests/golden/flow.json.

  flow_goldens.py [NAME...]    all programs when none is named

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
GOLDEN = ROOT / "tests" / "golden" / "flow.json"
sys.path.insert(0, str(ROOT / "tests" / "flow"))

import flow_programs as programs  # noqa: E402
import flow_record as record  # noqa: E402


def main():
    tf.disable_v2_behavior()
    names = sys.argv[1:] or sorted(programs.PROGRAMS)
    goldens = json.loads(GOLDEN.read_text()) if sys.argv[1:] else {}
    goldens.update({name: record.run(tf, name) for name in names})
    lines = [f'{json.dumps(name)}: {json.dumps(goldens[name], separators=(",", ":"))}'
             for name in sorted(goldens)]
    GOLDEN.write_text("{" + ",\n".join(lines) + "}\n")
    print(f"{len(names)} programs")


if __name__ == "__main__":
    main()
