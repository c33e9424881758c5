"""What TensorFlow prints for the tutorials: `python tutorial_goldens.py`, run by TensorFlow, writes tensorflow.txt."""
import contextlib
import io
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
HELPERS = {"shown", "tutorial_goldens"}
TOLD = FOLDER / "tensorflow.txt"


def run(name):
    source = FOLDER / f"{name}.py"
    exec(compile(source.read_text(), str(source), "exec"), {"__name__": "__main__"})


def read():
    """The lines of each program, by its name."""
    told = {}
    for line in TOLD.read_text().splitlines():
        if line.startswith("== "):
            told[line[3:]] = lines = []
        else:
            lines.append(line)
    return told


def main():
    import tensorflow.compat.v1 as tf
    sys.path.insert(0, str(FOLDER))
    parts = []
    for name in sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in HELPERS):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), tf.Graph().as_default():
            run(name)
        parts.append(f"== {name}\n{out.getvalue()}")
    TOLD.write_text("".join(parts))


if __name__ == "__main__":
    main()
