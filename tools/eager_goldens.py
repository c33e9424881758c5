#!/usr/bin/env python3
"""Runs the programs of tests/programs and of tests/programs/eager eagerly under TensorFlow.

  eager_goldens.py [STEM...]    all files when none is named

tests/golden/eager.json.gz has a line for each file: {program: answer}, where null stands for the values that the
program has as a graph. Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does.
"""
import importlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
GOLDEN = ROOT / "tests" / "golden"
sys.path[:0] = [str(GOLDEN), str(PROGRAMS / "eager"), str(PROGRAMS)]

import golden_files  # noqa: E402

# Of graphs as a whole, or such as wait for ever where nobody else runs.
FOR_GRAPHS = ("estimator_", "training_", "io_readers", "warm_start", "queue_", "flow_internal", "train_inputs", "train_replicas")


def files():
    """The programs' files, by stem."""
    found = [*PROGRAMS.glob("*.py"), *(PROGRAMS / "eager").glob("*.py")]
    return {path.stem: path for path in sorted(found)
            if path.stem not in ("program", "run") and not path.stem.startswith(FOR_GRAPHS)}


def answer(path):
    """What one file answers, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--run", path], stdout=subprocess.PIPE, check=True, timeout=600)
    return json.loads(done.stdout.splitlines()[-1])["programs"]


def run(path):
    """Answers for one file; `tensorflow` is TensorFlow 1 in eager execution."""
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    importlib.import_module("tensorflow_estimator.python.estimator.estimator_lib")
    sys.modules["tensorflow"] = tf
    tf.logging.set_verbosity(tf.logging.FATAL)
    tf.enable_eager_execution()
    import run as programs
    print(json.dumps({"programs": programs.answers(tf, pathlib.Path(path))}))


def without_values_of_graphs(stem, answers):
    """null where a program has the values that it has as a graph."""
    path = GOLDEN / "programs" / f"{stem}.json.gz"
    graphs = json.loads(golden_files.read(path)) if path.exists() else {}
    return {name: None if found.get("values") == graphs.get(name, {}).get("values", 0) else found
            for name, found in answers.items()}


def main():
    path = GOLDEN / "eager.json.gz"
    stored = json.loads(golden_files.read(path)) if sys.argv[1:] and path.exists() else {}
    for stem, file in files().items():
        if sys.argv[1:] and stem not in sys.argv[1:]:
            continue
        stored[stem] = without_values_of_graphs(stem, answer(file))
        print(f"{stem}: {len(stored[stem])} programs eagerly")
    lines = [f"{json.dumps(stem)}: {json.dumps(stored[stem], sort_keys=True)}" for stem in sorted(stored)]
    golden_files.write(path, ("{" + ",\n".join(lines) + "}\n").encode())


if __name__ == "__main__":
    os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3")
    run(sys.argv[2]) if sys.argv[1:2] == ["--run"] else main()
