"""Asks TensorFlow for the static shapes of tests/shapes and writes tests/golden/shapes.json.gz."""
import json
import pathlib
import sys

import tensorflow.compat.v1 as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent
for folder in ("shapes", "golden"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

import golden_files  # noqa: E402
import shape_cases  # noqa: E402
import shape_variants  # noqa: E402

tf.disable_v2_behavior()
answers = {name: shape_variants.record(tf, function, items)
           for name, (function, items) in sorted(shape_cases.CASES.items())}
lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
golden_files.write(ROOT / "tests" / "golden" / "shapes.json.gz",
                   ("{\n" + ",\n".join(lines) + "\n}\n").encode())
print(f"{len(answers)} calls, {sum(map(len, answers.values()))} variants")
