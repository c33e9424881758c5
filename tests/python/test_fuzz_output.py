"""What the fuzz targets tell of a run: a line each, whatever their input holds."""
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = sorted((ROOT / "build/release/bin").glob("fuzz_*"))


@pytest.mark.skipif(not TARGETS, reason="the fuzz targets are not built")
def test_a_target_tells_one_line():
    told = {target.name: subprocess.run([target, "--runs=20", "--seconds=0.2"], cwd=ROOT, capture_output=True, text=True,
                                        errors="replace", timeout=120) for target in TARGETS}
    for name, ended in told.items():
        lines = (ended.stdout + ended.stderr).strip().splitlines()
        assert ended.returncode == 0 and len(lines) == 1 and name.removeprefix("fuzz_") in lines[0], (name, lines[:5])
