"""Lets TensorFlow and TensorBoard read what Rill's Python writes in the cases of tools/model_cases."""
import json
import pathlib
import subprocess
import sys

import tensorboard

import goldens
import interop_board
import model_goldens
from model_cases import reading


def run_rill(*command):
    """Runs a tool by Rill's Python, which finds TensorBoard where it is installed."""
    python = goldens.ROOT / "python"
    return subprocess.run([goldens.ROOT / ".venv" / "bin" / "python", *command],
                          env={"PYTHONPATH": f"{python}:{python / 'compat'}", "PATH": "/usr/bin:/bin",
                               "TENSORBOARD": str(pathlib.Path(tensorboard.__file__).parent.parent)},
                          capture_output=True, text=True)


def write_by_rill(scratch):
    """Runs all cases under Rill; {case: what went wrong}."""
    run = run_rill(model_goldens.__file__, "--into", scratch)
    if run.returncode:
        return {"all of them": run.stderr.strip()[-500:]}
    return json.loads((scratch / "errors.json").read_text())


def read_again(folder, found):
    """TensorFlow asked about Rill's files must say what it said of its own."""
    try:
        got = reading.answer(folder, found["question"])
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:500]}"
    return reading.difference(json.loads(json.dumps(got)), found["answer"])


def check_under_tf2(report, folder, objects):
    """SavedModels as TensorFlow 2 loads them, in a process of its own; some with objects."""
    tools = goldens.ROOT / "tools"
    written = run_rill(tools / "interop_objects.py", objects)
    report.check("objects", written.stderr.strip()[-500:] if written.returncode else None)
    run = subprocess.run([sys.executable, tools / "interop_tf2.py", folder, objects], capture_output=True, text=True)
    report.check("under TensorFlow 2", run.stderr.strip()[-500:] if run.returncode else None)
    if run.returncode == 0:
        for name, complaint in json.loads(run.stdout.splitlines()[-1]).items():
            report.check(f"under TensorFlow 2, {name}", complaint)


def check_models(report, scratch):
    errors = write_by_rill(scratch)
    for path in sorted(model_goldens.GOLDEN.glob("*.json")):
        if path.stem.startswith("tf2") or path.stem == "files":  # which leave none behind
            continue
        for name, found in json.loads(path.read_text()).items():
            case = f"{path.stem}/{name}"
            folder = scratch / path.stem / name
            report.check(case, errors.get(case) or read_again(folder, found))
    report.check("written", errors.get("all of them"))
    check_under_tf2(report, scratch / "saved_models", scratch / "with_objects")
    for family in ("events", "board_summaries"):
        interop_board.check_board(report, model_goldens.GOLDEN / family, scratch / family)
