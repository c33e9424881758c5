"""What docs/models_on_disk.md shows, in order: its programs in both languages and its commands."""
import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"```(python|cpp|sh)\n(.*?)```", (ROOT / "docs" / "models_on_disk.md").read_text(), re.DOTALL)


def output(*command, cwd):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, cwd=cwd,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(*kinds):
    """The commands before and after the last program that needs what they made."""
    lines, at_last_program = [], 0
    for kind, text in BLOCKS:
        if kind == "sh":
            lines += [shlex.split(line)[1:] for line in text.splitlines()]
        elif kind in kinds and "frozen.pb" in text and not at_last_program:
            at_last_program = len(lines)
    return lines[:at_last_program], lines[at_last_program:]


def test_python_and_commands(tmp_path):
    """Programs stop where the commands must have run, and go on there."""
    parts = [text for kind, text in BLOCKS if kind == "python"]
    first, second = "\n".join(parts[:-1]), "\n".join([parts[0].splitlines()[0], parts[-1]])
    early, late = commands("python")
    (tmp_path / "one.py").write_text(first)
    (tmp_path / "two.py").write_text(second)
    printed = output(ROOT / "bin" / "rill", "run", "one.py", cwd=tmp_path).splitlines()
    assert printed == ["('global_step', [])", "(1, 2)", "(1, 2)"]
    for words in early:
        output(ROOT / "bin" / "rill", *words, cwd=tmp_path)
    assert output(ROOT / "bin" / "rill", "run", "two.py", cwd=tmp_path) == "(1, 2)\n"
    for words in late:
        output(ROOT / "bin" / "rill", *words, cwd=tmp_path)
    assert (tmp_path / "model.svg").read_text().startswith("<svg")
    assert {"weights.safetensors", "again", "third", "fourth.pb"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
def test_cpp(tmp_path):
    parts = [text for kind, text in BLOCKS if kind == "cpp"]
    early, _ = commands("cpp")
    freeze = " ".join(shlex.quote(word) for word in [str(ROOT / "bin" / "rill"), *next(
        words for words in early if words[0] == "freeze")])
    body = "\n".join(part for part in parts if "frozen.pb" not in part)
    rest = "\n".join(part for part in parts if "frozen.pb" in part)
    (tmp_path / "program.cc").write_text(
        "#include <rill/rill.h>\n#include <rill/messages.h>\n#include <cstdio>\n#include <cstdlib>\nnamespace tf = rill;\nint main() {\n"
        f"{body}\nif (std::system(\"{freeze}\") != 0) return 1;\n{rest}\n}}\n")
    flags = shlex.split(output(ROOT / "bin" / "rill", "config", "--cflags", "--libs", cwd=tmp_path))
    output("g++", "program.cc", *flags, "-o", "program", cwd=tmp_path)
    assert "global_step" in output(tmp_path / "program", cwd=tmp_path)
    assert {"weights.safetensors", "fifth", "smaller.pb"} <= {path.name for path in tmp_path.iterdir()}
