"""Runs the programs of a file; as a script, writes what TensorFlow prints for them."""

import contextlib
import io
import json
import pathlib
import runpy
import sys

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "function_programs"


def lines_of(program):
    """What a program prints; of one that fails, the type of the error at the end."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            program()
        except Exception as error:
            print("failed:", type(error).__name__)
    return shown.getvalue().splitlines()


def programs(path):
    """The programs of a file by name, in order."""
    found = runpy.run_path(str(path))
    return {name[len("program_"):]: value for name, value in found.items() if name.startswith("program_")}


def outputs(path):
    """What all programs of a file print."""
    return {name: lines_of(program) for name, program in programs(path).items()}


def files():
    """The files with programs."""
    return sorted(p for p in HERE.glob("*.py") if p.stem != "runner")


def golden(path):
    """TensorFlow's answers for a file."""
    return json.loads((GOLDEN / f"{path.stem}.json").read_text())


if __name__ == "__main__":
    wanted = [p for p in files() if not sys.argv[1:] or p.stem in sys.argv[1:]]
    GOLDEN.mkdir(exist_ok=True)
    for path in wanted:
        (GOLDEN / f"{path.stem}.json").write_text(json.dumps(outputs(path), indent=1) + "\n")
