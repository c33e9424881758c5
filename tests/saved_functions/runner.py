"""Writes the models of models.py, and asks those that somebody has written.

    runner.py write FOLDER [CASE...]    each into FOLDER/CASE: the model, and answer.json with what it says
    runner.py read FOLDER [CASE...]     loads them and prints where answers differ

Runs under TensorFlow 2.15 and under Rill; what one writes the other reads.
"""

import json
import os
import pathlib
import sys
import traceback

import numpy as np
import tensorflow as tf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
if __name__ == "__main__":
    tf.compat.v1.enable_v2_behavior()

import models  # noqa: E402


def cases():
    """The cases by name, in order."""
    return {name[len("case_"):]: case for name, case in vars(models).items() if name.startswith("case_")}


def described(value):
    """A result as JSON has it."""
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: described(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [described(part) for part in value]
    array = np.asarray(value)
    if array.dtype == object:
        array = np.vectorize(lambda text: text.decode() if isinstance(text, bytes) else text, otypes=[object])(array)
    elif array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    return array.tolist()


def tensors(value):
    """Arguments as tensors, Python's numbers and texts where functions take such left alone."""
    if isinstance(value, dict):
        return {key: tensors(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(tensors(item) for item in value)
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [tensors(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic, list)):
        array = np.asarray(value)
        return tf.constant(array.astype(np.float32) if isinstance(value, list) and array.dtype == np.float64 else array)
    return value


def answers(model, calls):
    """What the calls give, in order; of one that fails the class of the error."""
    found = []
    for name, args, *rest in calls:
        function = model if name == "__call__" else getattr(model, name)
        try:
            found.append(described(function(*(tensors(arg) for arg in args), **(rest[0] if rest else {}))))
        except tf.errors.OpError as error:
            found.append(type(error).__name__)
    return found


def write(case, folder):
    """Saves a model, and then what it answers."""
    os.makedirs(folder)
    model, signatures, calls = cases()[case](str(folder))
    tf.compat.v2.saved_model.save(model, os.path.join(folder, "model"),
                                  **({} if signatures is None else {"signatures": signatures}))
    with open(os.path.join(folder, "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answers(model, calls), file)


def same(a, b):
    """Whether answers are equal within rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-5 * max(1, abs(a))
    return a == b


def read(case, folder):
    """Nothing, or what the loaded model says other than the one that was saved."""
    with open(os.path.join(folder, "answer.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    folder_of_case = os.path.join(folder, "again")
    os.makedirs(folder_of_case, exist_ok=True)
    _, _, calls = cases()[case](folder_of_case)
    found = json.loads(json.dumps(answers(tf.compat.v2.saved_model.load(os.path.join(folder, "model")), calls)))
    return None if same(wanted, found) else f"wanted {wanted}, found {found}"


def main(what, folder, *names):
    """Prints a line for each case that fails, and how many did not."""
    good, chosen = 0, names or cases()
    for case in chosen:
        try:
            problem = (write if what == "write" else read)(case, os.path.join(folder, case))
        except Exception:
            problem = traceback.format_exc()
        good += problem is None
        if problem is not None:
            print(f"{case}: {problem}")
    print(f"{what}: {good} of {len(chosen)}")
    return good != len(chosen)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
