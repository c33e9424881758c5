#!/usr/bin/env python3
"""Times every program of tests/programs and examples as a process of its own, beside TensorFlow.

  program_times.py [NAME...]      RILL_ORACLE names an environment with TensorFlow 2.15

CPU time of the whole process, imports included, so that a busy machine disturbs little. Ends with status 1
when a program takes longer than under TensorFlow.
"""
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
ARGUMENTS = {"retrain": None, "predict": None, "ask_server": None, "label_image": None, "trunk": None}  # None: no program


def run_as_tensorflow(path):
    """In a process of the other library: its version 1 as `tensorflow`."""
    import importlib

    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    importlib.import_module("tensorflow_estimator.python.estimator.estimator_lib")
    sys.modules["tensorflow"] = tf
    run(path)


def run(path):
    path = pathlib.Path(path)
    if path.parent != PROGRAMS:
        import runpy
        sys.argv = [str(path)]
        sys.path.insert(0, str(path.parent))
        runpy.run_path(str(path), run_name="__main__")
        return
    sys.path.insert(0, str(PROGRAMS))
    import program
    for one in program.load(path).values():
        one()


def cpu_seconds(command, environment):
    """CPU seconds of a process, or None where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, **environment})
        _, status, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime if status == 0 else None


def programs(names):
    found = [path for folder in (PROGRAMS, ROOT / "examples") for path in sorted(folder.glob("*.py"))
             if path.stem not in ("program", *ARGUMENTS)]
    return [path for path in found if not names or path.stem in names]


def main(names):
    oracle = pathlib.Path(os.environ.get("RILL_ORACLE", ROOT / ".oracle"))
    ours = {"PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python' / 'compat'}"}
    ratios = {}
    for path in programs(names):
        rill = cpu_seconds([ROOT / ".venv/bin/python", __file__, "--run", path], ours)
        tensorflow = cpu_seconds([oracle / "bin/python", __file__, "--run-tensorflow", path], {"TF_CPP_MIN_LOG_LEVEL": "3"})
        if rill is None or tensorflow is None:
            print(f"{path.stem:32} {'fails under ' + ('Rill' if rill is None else 'TensorFlow')}", flush=True)
            continue
        ratios[path.stem] = rill / tensorflow
        print(f"{path.stem:32} {rill:7.2f} {tensorflow:7.2f} {ratios[path.stem]:6.2f}", flush=True)
    if not ratios:
        return 1
    worst = max(ratios, key=ratios.get)
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    print(f"{len(ratios)} programs, geometric mean {mean:.3f}, worst {ratios[worst]:.2f} ({worst})")
    return int(ratios[worst] > 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2])
    elif sys.argv[1:2] == ["--run-tensorflow"]:
        run_as_tensorflow(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
