"""Asks TensorFlow 1.15 what it says of wrong inputs (tests/shapes) and writes tests/golden/shape_messages.json.gz.

Run by the Python of that TensorFlow, which may be 3.7.
"""
import json
import pathlib
import sys

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent
for folder in ("shapes", "golden"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

import golden_files  # noqa: E402
import shape_cases  # noqa: E402
import wrong_inputs  # noqa: E402

answers = {name: wrong_inputs.messages(tf, function, items)
           for name, (function, items) in sorted(shape_cases.CASES.items())}
lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
golden_files.write(ROOT / "tests" / "golden" / "shape_messages.json.gz",
                   ("{\n" + ",\n".join(lines) + "\n}\n").encode())
print(f"{len(answers)} calls, {sum(map(len, answers.values()))} changes")
