"""Programs for TensorFlow 2 that begin with enable_v2_behavior print what they print there."""
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "tests" / "programs" / "v2").glob("*.py"))
ALL = "import runpy, sys\nfor path in sys.argv[1:]:\n    print('==', path)\n    runpy.run_path(path, run_name='__main__')\n"


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """{name: what the program printed} of all of them, one after the other in a process."""
    folder = tmp_path_factory.mktemp("v2")
    (folder / "all.py").write_text(ALL)
    command = [ROOT / "bin" / "rill", "run", folder / "all.py", *PROGRAMS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr[-2000:]
    parts = [part.split("\n", 1) for part in done.stdout.split("== ")[1:]]
    return {pathlib.Path(path).stem: text for path, text in parts}


@pytest.mark.parametrize("name", [path.stem for path in PROGRAMS])
def test_programs(name, printed):
    assert printed[name] == (ROOT / "tests" / "golden" / "v2" / f"{name}.txt").read_text()
