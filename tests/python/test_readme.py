"""The program that README.md shows, in both languages, does what it shows."""
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_it_learns(printed):
    lines = [line.split() for line in printed.splitlines()]
    assert [int(step) for step, _ in lines] == [0, 100, 200, 300, 400, 500]
    assert float(lines[0][1]) > 0.5
    assert float(lines[-1][1]) < 0.1


def test_python(tmp_path):
    (tmp_path / "program.py").write_text(shown("python"))
    assert_it_learns(output(RILL, "run", tmp_path / "program.py"))


def test_cpp(tmp_path):
    (tmp_path / "program.cc").write_text(shown("cpp"))
    flags = shlex.split(output(RILL, "config", "--cflags", "--libs"))
    output("g++", tmp_path / "program.cc", *flags, "-o", tmp_path / "program")
    assert_it_learns(output(tmp_path / "program"))
