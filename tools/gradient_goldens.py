"""Asks TensorFlow for the gradients of tests/gradients and writes tests/golden/gradients.json."""
import json
import pathlib
import sys

import tensorflow.compat.v1 as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "gradients"))

import functions  # noqa: E402
import record  # noqa: E402

tf.disable_v2_behavior()
goldens = {name: record.run(tf, name) for name in sorted(functions.FUNCTIONS)}
lines = [f"{json.dumps(name)}: {json.dumps(golden, sort_keys=True)}"
         for name, golden in goldens.items()]
(ROOT / "tests" / "golden" / "gradients.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
print(f"{len(goldens)} functions")
