"""The conversion of functions works under every Python from 3.9 on that is here."""
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).with_name("autograph_conversion.py")
VERSIONS = [f"python3.{minor}" for minor in range(9, 16)]


def interpreter(name):
    """One that runs, or None: a name may be there without its Python."""
    path = shutil.which(name)
    works = path is not None and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    return path if works else None


@pytest.mark.parametrize("name", [sys.executable, *VERSIONS])
def test_converted_functions_do_the_same(name, tmp_path):
    path = interpreter(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([path, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "converted" in done.stdout, done.stderr
