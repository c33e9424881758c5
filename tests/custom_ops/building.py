"""Compiles the sources of this folder as their authors would."""
import os
import pathlib
import shlex
import shutil
import subprocess

import rill as tf

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GXX = ["ccache", "g++"] if shutil.which("ccache") else ["g++"]
WARNINGS = ["-Wall", "-Werror"]


class Compiler:
    """Starts compilations early and waits for them late: they share two cores with the tests."""

    def __init__(self, folder):
        self.folder = folder
        self.started = {}

    def start(self, source, standard, *extra, shared=True):
        target = self.folder / (pathlib.Path(source).stem + (".so" if shared else ""))
        made = f"{target}.o"
        compile_command = [*GXX, *WARNINGS, f"-std=c++{standard}", "-O1", "-fPIC", *extra,
                           *tf.sysconfig.get_compile_flags(), "-c", str(HERE / source), "-o", made]
        link_command = ["g++", *(["-shared"] if shared else []), made, "-o", str(target),
                        *tf.sysconfig.get_link_flags()]
        line = f"{shlex.join(compile_command)} && {shlex.join(link_command)}"
        self.started[source] = (target, subprocess.Popen(line, shell=True, stderr=subprocess.PIPE))

    def result(self, source):
        target, process = self.started[source]
        if process.returncode is None:
            _, self.errors = process.communicate()
            assert process.returncode == 0, self.errors.decode()
        return str(target)


def run_shell(script, folder):
    """Runs a user's command lines where `python` means this Python with `import tensorflow`."""
    path = os.pathsep.join([str(ROOT / "python"), str(ROOT / "python" / "compat")])
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    link = tools / "python"
    if not link.exists():
        link.write_text(f'#!/bin/sh\nexec "{ROOT}/.venv/bin/python" "$@"\n')
        link.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": path, "PATH": f"{tools}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-ec", script], cwd=folder, env=environment,
                          capture_output=True, text=True)
